/** What HTTP lets stand around a header's value; no other space is part of the protocol. */
const OUTER_SPACE = /^[\t ]+|[\t ]+$/g;

/**
 * A header's value as text, on every host the same.
 *
 * HTTP carries bytes, which servers and browsers hand over as one character each; whoever sends text writes it in UTF-8.
 * A request that never left its page carries text.
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
 * Text as a header's value that `fetch` takes: it refuses characters beyond Latin-1, for which no single byte stands.
 *
 * @see headerText which reads it
 */
export const headerValue = (text: string): string => {
  const isLatin1 = Array.from(text).every((character) => (character.codePointAt(0) ?? 0) <= 0xff);
  return isLatin1 ? text : String.fromCharCode(...new TextEncoder().encode(text));
};
