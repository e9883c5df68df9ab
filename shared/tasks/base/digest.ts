import type { System } from '../../ports/system';

/** What is held in memory of a file at a time. */
const PIECE_BYTES = 1024 ** 2;

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
