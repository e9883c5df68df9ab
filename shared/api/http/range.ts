/** Bytes from `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d+)?|-(\d+))[ \t]*$/i;

/** @returns undefined if the last byte is before the first, which is not a range */
const fromTo = (first: number, last: number, sizeBytes: number): ByteRange | undefined =>
  last < first ? undefined : { start: first, end: Math.min(sizeBytes, last + 1) };

/**
 * The part of a file that a `Range` header requests.
 *
 * Only single ranges are supported. Other values are ignored, as the standard allows, and the whole file is sent.
 *
 * @returns undefined for the whole file, `unsatisfiable` for a range outside of the file
 * @see RFC 9110, section 14
 */
export const parseRange = (
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const match = SINGLE_RANGE.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const [, first, last = Infinity, suffix] = match;
  const range =
    first === undefined
      ? { start: Math.max(0, sizeBytes - Number(suffix)), end: sizeBytes }
      : fromTo(Number(first), Number(last), sizeBytes);
  return range && range.start >= range.end ? 'unsatisfiable' : range;
};
