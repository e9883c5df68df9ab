import { LIMITS } from '#shared/domain/limits';

/** A choice that this browser keeps. Storage can be switched off: the choice then lasts as long as the page. */
export const storedChoice = (key: string) => ({
  /** @returns null if nothing was chosen */
  get: (): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** @param choice null for none */
  set: (choice: string | null): void => {
    try {
      if (choice === null) localStorage.removeItem(key);
      else localStorage.setItem(key, choice);
    } catch {
      // Without storage.
    }
  },
});

/** The person whom edits of this browser name: null if nobody was asked yet, '' for no name; see `plainName`. */
export const { get: storedReviewer, set: storeReviewer } = storedChoice('veil-reviewer');

/** What the contract refuses in the name of a reviewer. */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A name as the contract accepts it: a pasted one may contain line breaks. */
export const plainName = (text: string): string =>
  [...text.replace(REFUSED, ' ').trim()].slice(0, LIMITS.maxReviewerChars).join('').trim();
