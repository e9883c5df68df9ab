import type { StoredFile } from '../../ports/storage';
import type { FileFacts } from '../../domain/provenance';
import type { System } from '../../ports/system';

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
