import type { System } from '../../ports/system';

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
