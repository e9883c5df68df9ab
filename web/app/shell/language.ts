import { useEffect, useMemo, useState } from 'react';
import { LANGUAGE_CODES, type Language, type LanguageChoice } from '../messages';

const KEY = 'veil-language';
const FALLBACK: Language = 'en';

const known = (tag: string | null | undefined): Language | undefined =>
  LANGUAGE_CODES.find((code) => tag?.toLowerCase().split('-')[0] === code);

/**
 * The first language that the page has of those that are wanted.
 *
 * @param chosen earlier, on this page
 * @param wanted as the browser lists them, the best first
 */
export const firstKnown = (chosen: string | null, wanted: readonly string[]): Language =>
  [chosen, ...wanted].map(known).find((language) => language !== undefined) ?? FALLBACK;

const remembered = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage can be switched off.
  }
};

const remember = (language: Language): void => {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The choice then lasts as long as the page.
  }
};

/** The language of the page: the one chosen earlier, else the browser's. */
export const useLanguageChoice = (): LanguageChoice => {
  const [language, setLanguage] = useState(() => firstKnown(remembered(), navigator.languages));
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return useMemo(
    () => ({
      language,
      choose: (chosen) => {
        remember(chosen);
        setLanguage(chosen);
      },
    }),
    [language],
  );
};
