import type { ImageFormat } from '../../ports/engine';
import { crc32, hasCharacters } from './bytes';
import { EXIF_PREFIX } from './exif';
import { NO_NOTES } from './header-reader';
import { readWebp } from './images/webp';
import { insertIntoAvif } from './insert-avif';
import { bigEndian, insert, join, littleEndian, text, type Insert } from './insert-parts';
import { JPEG_XMP_PREFIX, PNG_XMP_PREFIX } from './xmp';

const SOI_BYTES = 2;
const APP1 = Uint8Array.of(0xff, 0xe1);

const jpegSegment = (prefix: string, content: Uint8Array): Uint8Array =>
  join(APP1, bigEndian(2, 2 + prefix.length + content.length), text(prefix), content);

const insertIntoJpeg: Insert = (file, { exif, xmp }) =>
  insert(
    file,
    SOI_BYTES,
    ...(exif ? [jpegSegment(EXIF_PREFIX, exif)] : []),
    ...(xmp ? [jpegSegment(JPEG_XMP_PREFIX, xmp)] : []),
  );

/** Signature and `IHDR`, which must be the first chunk. */
const PNG_HEAD_BYTES = 8 + 25;

const pngChunk = (type: string, content: Uint8Array): Uint8Array => {
  const checked = join(text(type), content);
  return join(bigEndian(4, content.length), checked, bigEndian(4, crc32(checked)));
};

const insertIntoPng: Insert = (file, { exif, xmp }) =>
  insert(
    file,
    PNG_HEAD_BYTES,
    ...(exif ? [pngChunk('eXIf', exif)] : []),
    ...(xmp ? [pngChunk('iTXt', join(text(PNG_XMP_PREFIX), xmp))] : []),
  );

const RIFF_HEADER_BYTES = 12;
const WEBP_FLAGS_AT = 20;
const EXTENDED_CHUNK_BYTES = 18;
/** Flags of a `VP8X` chunk: what else is in the file. */
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

const webpChunk = (type: string, content: Uint8Array): Uint8Array =>
  join(text(type), littleEndian(4, content.length), content, new Uint8Array(content.length % 2));

/** Metadata stands behind the image, and needs a header that names it. @see RFC 9649, 2.7 */
const insertIntoWebp: Insert = (file, { exif, xmp }) => {
  const { width, height } = readWebp(file, NO_NOTES, () => undefined);
  const isExtended = hasCharacters(file, RIFF_HEADER_BYTES, 'VP8X');
  const flags = (isExtended ? (file[WEBP_FLAGS_AT] ?? 0) : 0) | (exif ? EXIF_FLAG : 0) | (xmp ? XMP_FLAG : 0);
  const header = join(Uint8Array.of(flags, 0, 0, 0), littleEndian(3, width - 1), littleEndian(3, height - 1));
  const content = join(
    text('WEBP'),
    webpChunk('VP8X', header),
    file.subarray(RIFF_HEADER_BYTES + (isExtended ? EXTENDED_CHUNK_BYTES : 0)),
    ...(exif ? [webpChunk('EXIF', exif)] : []),
    ...(xmp ? [webpChunk('XMP ', xmp)] : []),
  );
  return join(text('RIFF'), littleEndian(4, content.length), content);
};

/** Writes metadata into an encoded result, by its format. */
export const INSERT = {
  jpeg: insertIntoJpeg,
  png: insertIntoPng,
  webp: insertIntoWebp,
  avif: insertIntoAvif,
} as const satisfies Record<ImageFormat, Insert>;
