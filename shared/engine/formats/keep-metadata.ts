import type { ImageHeader } from '../../domain/image-header';
import type { ImageFormat } from '../../ports/engine';
import { crc32 } from './bytes';
import { EXIF_PREFIX } from './exif';
import { bytesAt } from './header-reader';
import { keptExif } from './kept-exif';
import { JPEG_XMP_PREFIX, keptXmp, PNG_XMP_PREFIX } from './xmp';

/** What is written into a result; undefined where nothing is kept. */
interface KeptBlocks {
  /** A TIFF structure. */
  readonly exif: Uint8Array | undefined;
  readonly xmp: Uint8Array | undefined;
}

type Insert = (file: Uint8Array, kept: KeptBlocks) => Uint8Array;

const text = (characters: string): Uint8Array => Uint8Array.from(characters, (each) => each.charCodeAt(0));

const insert = (file: Uint8Array, at: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, file.length));
  let end = 0;
  for (const part of [file.subarray(0, at), ...parts, file.subarray(at)]) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
};

const bigEndian = (value: number, bytes: 2 | 4): Uint8Array => {
  const array = new Uint8Array(bytes);
  const view = new DataView(array.buffer);
  if (bytes === 2) view.setUint16(0, value);
  else view.setUint32(0, value);
  return array;
};

const SOI_BYTES = 2;
const APP1 = Uint8Array.of(0xff, 0xe1);

const jpegSegment = (prefix: string, content: Uint8Array): Uint8Array[] => [
  APP1,
  bigEndian(2 + prefix.length + content.length, 2),
  text(prefix),
  content,
];

const insertIntoJpeg: Insert = (file, { exif, xmp }) =>
  insert(
    file,
    SOI_BYTES,
    ...(exif ? jpegSegment(EXIF_PREFIX, exif) : []),
    ...(xmp ? jpegSegment(JPEG_XMP_PREFIX, xmp) : []),
  );

/** Signature and `IHDR`, which must be the first chunk. */
const PNG_HEAD_BYTES = 8 + 25;

const pngChunk = (type: string, content: Uint8Array): Uint8Array[] => {
  const checked = insert(content, 0, text(type));
  return [bigEndian(content.length, 4), checked, bigEndian(crc32(checked), 4)];
};

const insertIntoPng: Insert = (file, { exif, xmp }) =>
  insert(
    file,
    PNG_HEAD_BYTES,
    ...(exif ? pngChunk('eXIf', exif) : []),
    ...(xmp ? pngChunk('iTXt', insert(xmp, 0, text(PNG_XMP_PREFIX))) : []),
  );

const INSERT = {
  jpeg: insertIntoJpeg,
  png: insertIntoPng,
} as const satisfies Record<ImageFormat, Insert>;

/** An image whose metadata is kept. */
export interface MetadataSource {
  readonly bytes: Uint8Array;
  readonly header: Pick<ImageHeader, 'exif' | 'xmp'>;
}

/**
 * Writes the source's camera, exposure, date, GPS and panorama fields into the result; `kept-fields.ts` lists them.
 *
 * @param result the encoded result, without metadata
 */
export const keepMetadata = (
  { bytes, header: { exif = [], xmp = [] } }: MetadataSource,
  result: { readonly bytes: Uint8Array; readonly format: ImageFormat },
): Uint8Array => {
  const kept = { exif: keptExif(bytesAt(bytes, exif)), xmp: keptXmp(bytesAt(bytes, xmp)) };
  return kept.exif || kept.xmp ? INSERT[result.format](result.bytes, kept) : result.bytes;
};
