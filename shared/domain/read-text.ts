import alphabet from './alphabet.json' with { type: 'json' };

/** What can be looked for in text that was read. */
export const TEXT_KINDS = ['email', 'phone', 'card', 'iban', 'date'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** What the reader can read, in the order of its classes. */
export const ALPHABET: readonly string[] = [...alphabet.characters];

/** Words of `text-keep`, in small letters. */
export const keptWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);

/** The first word with a letter that the reader does not know; undefined: there is none. */
export const unreadableWord = (text: string): string | undefined => {
  const known = new Set(ALPHABET.flatMap((letter) => [letter, letter.toLowerCase()]));
  return keptWords(text).find((word) => [...word].some((letter) => !known.has(letter)));
};
