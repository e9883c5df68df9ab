import sharp from 'sharp';
import { concatBytes, jpegExif, jpegSegment, pngChunk } from '#shared/testing/image-bytes';

/** Words in each place of a file where cameras and phones store data about their owner. */
export const SECRETS = [
  'SECRET-EXIF',
  'SECRET-GPS',
  'SECRET-XMP',
  'SECRET-IPTC',
  'SECRET-COMMENT',
  'SECRET-TRAILER',
];
const [EXIF, GPS, XMP, IPTC, COMMENT, TRAILER] = SECRETS as [string, string, string, string, string, string];

const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);
const uint16 = (value: number): number[] => [value >> 8, value & 0xff];
const uint32 = (value: number): number[] => [...uint16(value >> 16), ...uint16(value & 0xffff)];

/** A TIFF directory of ASCII and LONG entries, followed by its texts. */
const directory = (
  at: number,
  entries: readonly (readonly [tag: number, value: number | string])[],
  next = 0,
): Uint8Array => {
  let textAt = at + 2 + entries.length * 12 + 4;
  const texts: Uint8Array[] = [];
  const rows = entries.flatMap(([tag, value]) => {
    if (typeof value === 'number') return [...uint16(tag), ...uint16(4), ...uint32(1), ...uint32(value)];
    const bytes = text(`${value}\0`);
    const row = [...uint16(tag), ...uint16(2), ...uint32(bytes.length), ...uint32(textAt)];
    texts.push(bytes);
    textAt += bytes.length;
    return row;
  });
  return concatBytes(uint16(entries.length), rows, uint32(next), ...texts);
};

/** EXIF with a camera, a place and a thumbnail of the whole image. */
const exif = (thumbnail: Uint8Array): Uint8Array => {
  const [first, gps, second, thumbnailAt] = [8, 100, 200, 300];
  const bytes = new Uint8Array(thumbnailAt + thumbnail.length);
  bytes.set([...text('MM'), ...uint16(42), ...uint32(first)]);
  bytes.set(directory(first, [[0x010f, EXIF], [0x8825, gps]], second), first); // oxfmt-ignore
  bytes.set(directory(gps, [[0x001b, GPS]]), gps);
  bytes.set(directory(second, [[0x0201, thumbnailAt], [0x0202, thumbnail.length]]), second); // oxfmt-ignore
  bytes.set(thumbnail, thumbnailAt);
  return bytes;
};

/** The image as a JPEG with metadata, a thumbnail and data after the image. */
export const jpegWithSecrets = async (image: Uint8Array): Promise<Uint8Array> => {
  const plain = await sharp(image).jpeg({ quality: 95 }).toBuffer();
  const thumbnail = await sharp(image).resize(160).jpeg().toBuffer();
  return concatBytes(
    plain.subarray(0, 2),
    jpegExif(exif(thumbnail)),
    jpegSegment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${XMP}</x:xmpmeta>`)),
    jpegSegment(0xed, text(`Photoshop 3.0\0${IPTC}`)),
    jpegSegment(0xfe, text(COMMENT)),
    plain.subarray(2),
    thumbnail,
    text(TRAILER),
  );
};

const PNG_HEADER_BYTES = 33;

/** The image as a PNG with metadata, a thumbnail and data after the image. */
export const pngWithSecrets = async (image: Uint8Array): Promise<Uint8Array> => {
  const plain = await sharp(image).png().toBuffer();
  const thumbnail = await sharp(image).resize(160).jpeg().toBuffer();
  return concatBytes(
    plain.subarray(0, PNG_HEADER_BYTES),
    pngChunk('tEXt', text(`Comment\0${COMMENT}`)),
    pngChunk('iTXt', text(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`)),
    pngChunk('eXIf', exif(thumbnail)),
    plain.subarray(PNG_HEADER_BYTES),
    text(TRAILER),
  );
};
