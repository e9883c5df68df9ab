import { createContext, use } from 'react';
import { german } from './messages/de';
import { english, type Messages } from './messages/en';

export type { Messages } from './messages/en';

/** Each in its own name, by its code (BCP 47). A language that lacks a message does not compile. */
export const LANGUAGES = {
  en: { name: 'English', messages: english },
  de: { name: 'Deutsch', messages: german },
} as const satisfies Record<string, { readonly name: string; readonly messages: Messages }>;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

export interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
}

const Choice = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });
export const LanguageProvider = Choice.Provider;

export const useLanguage = (): LanguageChoice => use(Choice);

/** The words of the chosen language; English where nobody can choose. */
export const useMessages = (): Messages => LANGUAGES[use(Choice).language].messages;
