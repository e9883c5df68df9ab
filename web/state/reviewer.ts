/** Where this browser keeps the name: beside the theme and the language. */
const KEY = 'veil-reviewer';

/** The person whom edits of this browser name. @returns null if nobody was asked yet; '' for no name */
export const storedReviewer = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage can be switched off.
  }
};

/** @param name without control characters, see `plainName`; '' for none */
export const storeReviewer = (name: string): void => {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Edits then name nobody.
  }
};
