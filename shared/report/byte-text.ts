/** Bytes as lower-case hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param digits an even number of hexadecimal digits */
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const groupAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);

/** Base64 with padding. @see RFC 4648, section 4 */
export const base64 = (bytes: Uint8Array): string => {
  const text: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const group = groupAt(bytes, at);
    const four = [18, 12, 6, 0].map((shift) => DIGITS[(group >> shift) & 63]).join('');
    const rest = bytes.length - at;
    text.push(rest >= 3 ? four : four.slice(0, rest + 1).padEnd(4, '='));
  }
  return text.join('');
};
