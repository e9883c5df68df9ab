import { useLanguage, type Language } from '../messages';

/** Texts of the choice of text. They are loaded with it. */
const english = {
  title: 'Hide only some text',
  kinds: 'Only lines with',
  kind: {
    email: 'E-mail addresses',
    phone: 'Phone numbers',
    card: 'Card numbers',
    iban: 'IBAN',
    date: 'Dates',
  },
  words: 'Words that stay visible',
  example: 'Exit, Platform',
  unreadable: (word: string) =>
    `“${word}” has a letter that cannot be read. No words stay visible until it is removed.`,
  hint: 'Text that cannot be read stays hidden. Videos hide all text.',
};

const german: typeof english = {
  title: 'Nur bestimmten Text verbergen',
  kinds: 'Nur Zeilen mit',
  kind: {
    email: 'E-Mail-Adressen',
    phone: 'Telefonnummern',
    card: 'Kartennummern',
    iban: 'IBAN',
    date: 'Datumsangaben',
  },
  words: 'Wörter, die sichtbar bleiben',
  example: 'Ausgang, Gleis',
  unreadable: (word) =>
    `„${word}“ hat einen Buchstaben, der nicht gelesen werden kann. Bis es entfernt ist, bleiben keine Wörter sichtbar.`,
  hint: 'Text, der nicht gelesen werden kann, bleibt verborgen. In Videos wird aller Text verborgen.',
};

/** Not in the catalogues, whose English one is loaded with every page. */
const TEXTS: Readonly<Record<Language, typeof english>> = { en: english, de: german };

export const useTextChoiceTexts = (): typeof english => TEXTS[useLanguage().language];
