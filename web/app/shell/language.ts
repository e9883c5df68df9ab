import { useEffect, useMemo, useRef, useState } from 'react';
import {
  type Catalogue,
  type Language,
  type LanguageChoice,
  ENGLISH,
  LANGUAGE_CODES,
  loadCatalogue,
} from '../messages';
import { storedChoice } from '../../state/stored-choice';

const stored = storedChoice('veil-language');

const known = (tag: string | null | undefined): Language | undefined =>
  LANGUAGE_CODES.find((code) => tag?.toLowerCase().split('-')[0] === code);

/**
 * The first wanted language that the page has; English if it has none of them.
 *
 * @param chosen language that the user selected earlier
 * @param wanted languages of the browser, in order of preference
 */
export const firstKnown = (chosen: string | null, wanted: readonly string[]): Language =>
  [chosen, ...wanted].map(known).find((language) => language !== undefined) ?? ENGLISH.language;

/**
 * Loads the texts of the language that the user selected earlier, or of the browser's language.
 *
 * Await it before the first render, so that the page never appears in one language and changes to another. If the texts
 * cannot be loaded, the page appears in English.
 */
export const loadFirstCatalogue = (
  load: (language: Language) => Promise<Catalogue> = loadCatalogue,
): Promise<Catalogue> => load(firstKnown(stored.get(), navigator.languages)).catch(() => ENGLISH);

/** The language of the page, which the user can change. If its texts cannot be loaded, the language stays. */
export const useLanguageChoice = (first: Catalogue): LanguageChoice => {
  const [catalogue, setCatalogue] = useState(first);
  const latest = useRef<Language>(first.language);
  useEffect(() => {
    document.documentElement.lang = catalogue.language;
  }, [catalogue]);
  return useMemo(
    () => ({
      ...catalogue,
      choose: (language) => {
        latest.current = language;
        void loadCatalogue(language).then(
          (loaded) => {
            if (latest.current !== language) return;
            stored.set(language);
            setCatalogue(loaded);
          },
          () => undefined,
        );
      },
    }),
    [catalogue],
  );
};
