import type { StoredFile } from '../../ports/storage';
import type { System } from '../../ports/system';
import { digestPieces } from './digest';

/** Half of a SHA-256: no two results have the same one by chance. */
const TAG_CHARACTERS = 32;

/** Names bytes by what they are: the same bytes the same tag, other bytes another one. */
export const tagOfBytes = async (bytes: Uint8Array, { sha256 }: Pick<System, 'sha256'>): Promise<string> =>
  (await sha256(bytes)).slice(0, TAG_CHARACTERS);

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

/** The tag of a file that is larger than memory. Reads all of it: asked for once, when the file has been written. */
export const tagOfFile = async (file: StoredFile, system: Pick<System, 'sha256'>): Promise<string> => {
  const parts = {
    sizeBytes: file.sizeBytes,
    readPart: (start: number, end: number) => readPart(file, start, end),
  };
  return (await digestPieces(parts, system)).slice(0, TAG_CHARACTERS);
};
