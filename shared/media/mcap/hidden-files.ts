import { hasCharacters } from '../../engine/formats/bytes';

/** How image files begin, as bytes and as Base64: long enough that other messages hardly contain them by chance. */
const STARTS: readonly string[] = [
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff\xe0\0\x10JFIF',
  '\xff\xd8\xff\xdb\0\x43\0',
  '\xff\xd8\xff\xdb\0\x84\0',
  'iVBORw0KGgo',
  '/9j/4AAQSkZJRg',
];
const EXIF_AT = 6;
const FIRST_CODES = new Set(STARTS.map((start) => start.charCodeAt(0)));

/** Whether a message contains an image file, wherever it begins. */
export const containsImage = (message: Uint8Array): boolean => {
  for (let at = 0; at < message.length; at++) {
    if (!FIRST_CODES.has(message[at]!)) continue;
    if (STARTS.some((start) => hasCharacters(message, at, start))) return true;
    if (hasCharacters(message, at, '\xff\xd8\xff\xe1') && hasCharacters(message, at + EXIF_AT, 'Exif\0')) {
      return true;
    }
  }
  return false;
};
