import { LIMITS } from '#shared/domain/limits';

/** What the contract refuses in the name of a reviewer. */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A name as the contract accepts it: a pasted one may contain line breaks. */
export const plainName = (text: string): string =>
  [...text.replace(REFUSED, ' ').trim()].slice(0, LIMITS.maxReviewerChars).join('').trim();
