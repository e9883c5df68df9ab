import { LIMITS } from '../../domain/limits';

/** Control characters, broken surrogates, and the marks that make a name read in another order than it is written. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Keeps the extension, and whole characters. */
const shorten = (name: string): string => {
  const characters = [...name];
  if (characters.length <= LIMITS.maxFilenameChars) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : [];
  return [...characters.slice(0, LIMITS.maxFilenameChars - extension.length), ...extension].join('');
};

/**
 * The name under which an upload is reported: without folders of either system, control characters or undue length.
 *
 * @param fallback for a file that came without a usable name
 */
export const sanitiseFilename = (sent: string | null, fallback: string): string => {
  const name = (sent ?? '')
    .replace(/^.*[/\\]/s, '')
    .replace(UNPRINTABLE, '')
    .trim();
  return /^\.*$/.test(name) ? fallback : shorten(name);
};
