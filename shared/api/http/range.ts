/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d+)?|-(\d+))[ \t]*$/i;

/** @returns undefined where the last byte comes before the first: that is no range */
const fromTo = (first: number, last: number, sizeBytes: number): ByteRange | undefined =>
  last < first ? undefined : { start: first, end: Math.min(sizeBytes, last + 1) };

/**
 * The part of a file that a `Range` header asks for.
 *
 * One range only: what else is not understood is ignored, as the standard allows, and the whole file answers.
 *
 * @returns undefined for the whole file, `unsatisfiable` for a range with no byte of it
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
