import type { System } from '../../ports/system';
import type { StoredFile, Storage } from '../../ports/storage';
import type { FileFacts } from '../../domain/image-header';
import type { ByteSource } from '../../ports/video';

/** What is held in memory of a file at a time. */
const PIECE_BYTES = 1024 ** 2;

/** The SHA-256 of bytes that come one after another. */
export interface RunningHash {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex'): string;
}

/** Computes `digestPieces` of a file whose bytes come one after another. */
export interface RunningDigest {
  update(bytes: Uint8Array): void;
  /** Ends it. */
  digest(): string;
}

/** A file that may be larger than memory. */
export interface FileInParts {
  readonly sizeBytes: number;
  /** The bytes from `start` up to, not including, `end`. */
  readPart(start: number, end: number): Promise<Uint8Array>;
}

export const digestText = (text: string, { sha256 }: Pick<System, 'sha256'>): Promise<string> =>
  sha256(new TextEncoder().encode(text));

/** The same for the same bytes. Piece by piece, as files are larger than memory: not the SHA-256 of the whole. */
export const digestPieces = async (
  { sizeBytes, readPart }: FileInParts,
  system: Pick<System, 'sha256'>,
): Promise<string> => {
  const digests: string[] = [];
  for (let at = 0; at < sizeBytes; at += PIECE_BYTES) {
    digests.push(await system.sha256(await readPart(at, Math.min(at + PIECE_BYTES, sizeBytes))));
  }
  return digestText(digests.join(), system);
};

/** The same as `digestPieces`, for a file that is hashed while it is written and so need not be read for it. */
export const createRunningDigest = (newHash: () => RunningHash): RunningDigest => {
  const digests: string[] = [];
  let piece = newHash();
  let pieceBytes = 0;
  const endPiece = (): void => {
    digests.push(piece.digest('hex'));
    piece = newHash();
    pieceBytes = 0;
  };
  return {
    update: (bytes) => {
      for (let at = 0; at < bytes.byteLength;) {
        const part = bytes.subarray(at, at + PIECE_BYTES - pieceBytes);
        piece.update(part);
        at += part.byteLength;
        pieceBytes += part.byteLength;
        if (pieceBytes === PIECE_BYTES) endPiece();
      }
    },
    digest: () => {
      if (pieceBytes > 0) endPiece();
      piece.update(new TextEncoder().encode(digests.join()));
      return piece.digest('hex');
    },
  };
};

/** Half of a SHA-256: no two results have the same one by chance. */
const TAG_CHARACTERS = 32;

/** Names a file by its bytes: the same bytes have the same tag, other bytes another one. */
export const tagOfFile = ({ sha256 }: Pick<FileFacts, 'sha256'>): string => sha256.slice(0, TAG_CHARACTERS);

/** See `tagOfFile`. */
export const tagOfBytes = async (bytes: Uint8Array, { sha256 }: Pick<System, 'sha256'>): Promise<string> =>
  tagOfFile({ sha256: await sha256(bytes) });

export const factsOfBytes = async (
  bytes: Uint8Array,
  { sha256 }: Pick<System, 'sha256'>,
): Promise<FileFacts> => ({ sha256: await sha256(bytes), sizeBytes: bytes.byteLength });

/** Gathers the pieces of a reading. @throws where the file ends before its size says */
export const readPart = async (file: StoredFile, start: number, end: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(end - start);
  let at = 0;
  for await (const piece of file.read(start, end)) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  if (at !== bytes.byteLength) throw new Error('A stored file is shorter than it was.');
  return bytes;
};

/** The facts of a file that may be larger than memory. Reads all of it. @throws the reason of the signal */
export const factsOfFile = async (
  { sizeBytes, read }: Pick<StoredFile, 'sizeBytes' | 'read'>,
  { startSha256 }: Pick<System, 'startSha256'>,
  signal?: AbortSignal,
): Promise<FileFacts> => {
  const running = startSha256();
  for await (const piece of read(0, sizeBytes)) {
    signal?.throwIfAborted();
    running.update(piece);
  }
  return { sha256: await running.digest(), sizeBytes };
};

/** A stored file with random access. */
export const byteSourceOf = (file: StoredFile): ByteSource => ({
  sizeBytes: file.sizeBytes,
  handle: file.handle,
  read: (start, end) => readPart(file, start, end),
});

/** @returns undefined where there is no such file */
export const openSource = async (storage: Storage, key: string): Promise<ByteSource | undefined> => {
  const file = await storage.open(key);
  return file && byteSourceOf(file);
};
