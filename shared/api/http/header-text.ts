/** Whitespace around a header's value that HTTP ignores. Other whitespace is part of the value. */
const OUTER_SPACE = /^[\t ]+|[\t ]+$/g;

/**
 * A header's value as text, equal on all hosts.
 *
 * HTTP transfers bytes, which servers and browsers deliver as one character each, and clients encode text in UTF-8. A
 * request inside a page contains plain text.
 *
 * @returns the value itself where its bytes are not UTF-8
 */
export const headerText = (value: string): string => {
  const trimmed = value.replaceAll(OUTER_SPACE, '');
  const codes = Array.from(trimmed, (character) => character.codePointAt(0) ?? 0);
  if (codes.some((code) => code > 0xff)) return trimmed;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(codes));
  } catch {
    return trimmed;
  }
};

/**
 * Text as a header's value for `fetch`, which refuses characters outside Latin-1. Such text is encoded in UTF-8.
 *
 * @see headerText the reverse
 */
export const headerValue = (text: string): string => {
  const isLatin1 = Array.from(text).every((character) => (character.codePointAt(0) ?? 0) <= 0xff);
  return isLatin1 ? text : String.fromCharCode(...new TextEncoder().encode(text));
};
