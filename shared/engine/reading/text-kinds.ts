import type { TextKind } from '../../domain/read-text';

/** Letters that are read for a digit, and the other way round. */
const AS_DIGIT: Readonly<Record<string, string>> = {
  ...{ O: '0', o: '0', Q: '0', D: '0' },
  ...{ I: '1', l: '1', '|': '1', '!': '1' },
  ...{ Z: '2', S: '5', G: '6', B: '8' },
};

/** Letters between digits are misread digits. */
const withDigits = (text: string): string =>
  text.replaceAll(/(?<=\d[ .-]?)[OoQDIl|!ZSGB](?=[ .-]?\d)/g, (letter) => AS_DIGIT[letter] ?? letter);

/** @see ISO/IEC 7812-1, annex B */
const isLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit : 2 * digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

const CARD = { min: 13, max: 19 } as const;
const DIGITS = /\d(?:[ .-]{0,2}\d)+/g;

/** Runs of digits; what parts them in print is left away. */
const digitRuns = (text: string): string[] =>
  [...withDigits(text).matchAll(DIGITS)].map(([run]) => run.replaceAll(/\D/g, ''));

/** What was read of a line. */
interface ReadText {
  readonly text: string;
  /** Whether no digit can have been misread: then the check digits decide. */
  readonly isCertain: boolean;
}

/** Most numbers have 16 digits; digits of the text next to one may have joined its run. */
const USUAL_DIGITS = 16;

const isCardNumber = (run: string): boolean => {
  if (run.length <= CARD.max && isLuhn(run)) return true;
  for (let from = 0; from + USUAL_DIGITS <= run.length; from++) {
    if (isLuhn(run.slice(from, from + USUAL_DIGITS))) return true;
  }
  return false;
};

const hasCard = ({ text, isCertain }: ReadText): boolean =>
  digitRuns(text).some((run) => run.length >= CARD.min && (!isCertain || isCardNumber(run)));

const IBAN_LENGTH = { min: 15, max: 34 } as const;

/** The rest of a long number divided by 97, digit by digit. @see ISO 7064 */
const mod97 = (digits: string): number =>
  [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);

/** @see ISO 13616-1 */
const isIban = (code: string): boolean =>
  mod97([...(code.slice(4) + code.slice(0, 4))].map((character) => parseInt(character, 36)).join('')) === 1;

/** A country and two check digits, and at least eleven more. */
const IBAN = /[A-Z]{2}[0-9OILSB]{2}[A-Z0-9]{11,}/g;

/** Words may follow the code, so that all of its beginnings are tried. */
const hasIban = ({ text, isCertain }: ReadText): boolean =>
  [
    ...text
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '')
      .matchAll(IBAN),
  ].some(([found]) => {
    if (!isCertain) return /\d{6}/.test(found);
    for (let from = 0; from + IBAN_LENGTH.min <= found.length; from++) {
      for (let { min: length } = IBAN_LENGTH; length <= IBAN_LENGTH.max; length++) {
        const code = found.slice(from, from + length);
        if (code.length === length && /^[A-Z]{2}\d{2}/.test(code) && isIban(code)) return true;
      }
    }
    return false;
  });

const EMAIL = /[\p{L}\p{N}._%+-]+ ?@ ?[\p{L}\p{N}-]+(?:[., ]{1,2}[\p{L}\p{N}-]+)+/u;
const AT = /[@©®]/;
const hasEmail = ({ text }: ReadText): boolean => EMAIL.test(text) || AT.test(text);

const PHONE_DIGITS = { min: 6, max: 15 } as const;
const PHONE = /(?:\+|\(|\b0|\b\d)\d?(?:[ ()/.-]{0,2}\d){5,14}/g;
const hasPhone = ({ text }: ReadText): boolean =>
  [...withDigits(text).matchAll(PHONE)].some(([found]) => {
    const { length } = found.replaceAll(/\D/g, '');
    return length >= PHONE_DIGITS.min && length <= PHONE_DIGITS.max;
  });

const MONTHS =
  'jan|feb|mar|mär|maer|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic';
const NUMERIC_DATE =
  /(?<!\d)(?:\d{1,2} ?[.,/-] ?\d{1,2} ?[.,/-] ?(?:\d{4}|\d{2})|\d{4} ?[.,/-] ?\d{1,2} ?[.,/-] ?\d{1,2})(?!\d)/;
const NAMED_DATE = new RegExp(
  `(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?[. ]*(?:${MONTHS})\\p{L}*|(?:${MONTHS})\\p{L}*[. ]*\\d{1,2}(?!\\d)`,
  'iu',
);
/** Digits at letters are misread letters. */
const withLetters = (text: string): string =>
  text.replaceAll(/[015](?=\p{L})|(?<=\p{L})[015]/gu, (digit) => ({ 0: 'o', 1: 'l' })[digit] ?? 's');

const hasDate = ({ text }: ReadText): boolean =>
  NUMERIC_DATE.test(withDigits(text)) || NAMED_DATE.test(text) || NAMED_DATE.test(withLetters(text));

const FINDERS: Readonly<Record<TextKind, (read: ReadText) => boolean>> = {
  email: hasEmail,
  phone: hasPhone,
  card: hasCard,
  iban: hasIban,
  date: hasDate,
};

/** Longer than a recogniser reads at once; some expressions take the square of the length. */
const MAX_LINE_CHARS = 400;

/**
 * Whether a line may contain one of these kinds. Doubtful lines do: a misread digit must not show a number. Lines that are
 * too long to be checked do, too.
 */
export const mayContain = (read: ReadText, kinds: readonly TextKind[]): boolean =>
  read.text.length > MAX_LINE_CHARS || kinds.some((kind) => FINDERS[kind](read));
