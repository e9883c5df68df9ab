import { RE2JS } from 're2js';
import type { ImageOptions } from '../../domain/options';
import { keptWords, TEXT_KINDS, type TextKind } from '../../domain/read-text';
import { variantsOf, type ReadLine } from './read-ctc';
import { mayContain } from './text-kinds';

/** Which lines stay visible. */
export interface TextRules {
  /** Whether a line is one that stays, if it was read well enough. */
  stays(line: ReadLine): boolean;
}

/** Scores from which a line counts as read. Measured by `npm run eval:text-match`. */
const READ = { min: 0.5, mean: 0.9 } as const;
/** The same for expressions: any letter may matter, where kinds depend on digits and signs that were read. */
const READ_FOR_EXPRESSION = { min: 0.6, mean: 0.9 } as const;
/** Score of the least certain character from which check digits decide. */
const CERTAIN = 0.98;

const isRead = ({ min, mean }: ReadLine, needed: { readonly min: number; readonly mean: number }): boolean =>
  min >= needed.min && mean >= needed.mean;

/** An expression of RE2's syntax, between slashes. */
const EXPRESSION = /^\/(.+)\/$/s;

/** @returns undefined if a text is neither a list of kinds nor an expression */
const readMatch = (text: string): readonly TextKind[] | RE2JS | undefined => {
  const expression = EXPRESSION.exec(text)?.[1];
  if (expression === undefined) {
    const kinds = text.split(',').map((kind) => kind.trim());
    return kinds.every((kind): kind is TextKind => (TEXT_KINDS as readonly string[]).includes(kind))
      ? kinds
      : undefined;
  }
  try {
    return RE2JS.compile(expression);
  } catch {
    return undefined;
  }
};

export const isTextMatch = (text: string): boolean => readMatch(text) !== undefined;

/** Signs around and between words, which do not make a line another one. */
const SIGNS = /[\s,;.:!?()[\]"'|-]+/;

/** @throws if the options of the upload were not checked */
export const textRules = ({
  textMatch,
  textKeep = '',
}: Pick<ImageOptions, 'textMatch' | 'textKeep'>): TextRules => {
  const match = textMatch === undefined ? undefined : readMatch(textMatch);
  if (textMatch !== undefined && match === undefined) throw new Error('text-match was not checked');
  const kept = new Set(keptWords(textKeep).flatMap((word) => word.split(SIGNS)));
  const isKept = ({ text }: ReadLine): boolean => {
    const words = text.toLowerCase().split(SIGNS).filter(Boolean);
    return words.length > 0 && words.every((word) => kept.has(word));
  };
  const isHarmless = (line: ReadLine): boolean => {
    if (match === undefined) return false;
    const variants = variantsOf(line);
    if (match instanceof RE2JS) {
      return isRead(line, READ_FOR_EXPRESSION) && !variants.some((text) => match.test(text));
    }
    const isCertain = line.min >= CERTAIN;
    return !variants.some((text) => mayContain({ text, isCertain }, match));
  };
  return { stays: (line) => isRead(line, READ) && (isKept(line) || isHarmless(line)) };
};

/** Whether a line was read at all. */
export const wasRead = (line: ReadLine): boolean => isRead(line, READ);
