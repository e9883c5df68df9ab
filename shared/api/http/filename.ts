import { LIMITS } from '../../domain/limits';

/** Control characters, lone surrogates and marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Shortens a name, without breaking its extension or a character. */
const shorten = (name: string): string => {
  const characters = [...name];
  if (characters.length <= LIMITS.maxFilenameChars) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : [];
  return [...characters.slice(0, LIMITS.maxFilenameChars - extension.length), ...extension].join('');
};

/**
 * The name of an upload for reports: without folders (`/` and `\`), without control characters, and of limited length.
 *
 * @param fallback name of a file that was sent without a usable name
 */
export const sanitiseFilename = (sent: string | null, fallback: string): string => {
  const name = (sent ?? '')
    .replace(/^.*[/\\]/s, '')
    .replace(UNPRINTABLE, '')
    .trim();
  return /^\.*$/.test(name) ? fallback : shorten(name);
};
