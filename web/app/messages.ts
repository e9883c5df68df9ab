import { createContext, use } from 'react';
import { english, type Messages } from './messages/en';

export type { Messages } from './messages/en';

interface LanguageEntry {
  /** The language's name in the language itself. */
  readonly name: string;
  load(): Promise<Messages>;
}

/**
 * All languages, by code (BCP 47). Only English is part of the page's first script, because it is the fallback; the
 * other catalogues are loaded when their language is selected.
 */
export const LANGUAGES = {
  en: { name: 'English', load: () => Promise.resolve(english) },
  de: { name: 'Deutsch', load: async () => (await import('./messages/de')).german },
} as const satisfies Record<string, LanguageEntry>;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

/** A language together with its loaded texts. */
export interface Catalogue {
  readonly language: Language;
  readonly messages: Messages;
}
export const ENGLISH: Catalogue = { language: 'en', messages: english };

export const loadCatalogue = async (language: Language): Promise<Catalogue> => ({
  language,
  messages: await LANGUAGES[language].load(),
});

export interface LanguageChoice extends Catalogue {
  /** Changes the language as soon as its texts are loaded. */
  choose(language: Language): void;
}

const Choice = createContext<LanguageChoice>({ ...ENGLISH, choose: () => undefined });
export const LanguageProvider = Choice.Provider;

export const useLanguage = (): LanguageChoice => use(Choice);

/** Texts in the selected language; in English outside a `LanguageProvider`. */
export const useMessages = (): Messages => use(Choice).messages;
