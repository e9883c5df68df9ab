import type { Raster } from '../../domain/raster';
import { damagedImage } from '../../domain/failure';
import { recogniseFormat } from '../formats/recognise';
import { NO_NOTES } from '../formats/header-reader';
import { readJpeg } from '../formats/images/jpeg';
import { onlyPage } from '../formats/images/tiff';
import { openTiff, type TiffFile } from '../formats/images/tiff-fields';
import {
  EXTRA_SAMPLE,
  readTiffLayout,
  TIFF_COMPRESSION,
  TIFF_PHOTOMETRIC,
  type TiffLayout,
} from '../formats/images/tiff-layout';
import type { TiffSegment } from '../formats/images/tiff-segments';
import { transformOf } from '../colour/icc-profile';
import { divideByAlpha, type DecodedPixels } from './decoded-pixels';
import { unpack } from './tiff-compression';
import { createSampleWriter, type SegmentPlace } from './tiff-samples';

const MARKER_BYTES = 2;
/** An `Adobe` segment that says: these are red, green and blue, not YCbCr. */
const RGB_MARKER = [
  ...[0xff, 0xee, 0, 14],
  ...Array.from('Adobe', (character) => character.charCodeAt(0)),
  ...[0, 100, 0, 0, 0, 0, 0],
];

/**
 * A strip or tile as a JPEG file of its own: with the tables that all of them share.
 *
 * @see TIFF Technical Note 2
 */
const tiffJpeg = (
  segment: Uint8Array,
  { jpegTables, photometric }: Pick<TiffLayout, 'jpegTables' | 'photometric'>,
): Uint8Array => {
  const marker = photometric === TIFF_PHOTOMETRIC.rgb ? RGB_MARKER : [];
  // Between their start and end.
  const tables = jpegTables?.subarray(MARKER_BYTES, -MARKER_BYTES) ?? new Uint8Array(0);
  const jpeg = new Uint8Array(segment.length + marker.length + tables.length);
  jpeg.set(segment.subarray(0, MARKER_BYTES));
  jpeg.set(marker, MARKER_BYTES);
  jpeg.set(tables, MARKER_BYTES + marker.length);
  jpeg.set(segment.subarray(MARKER_BYTES), MARKER_BYTES + marker.length + tables.length);
  return jpeg;
};

const PIXEL_BYTES = 4;

/** Decodes a JPEG stream without metadata, as the host does it. */
export type JpegDecoder = (jpeg: Uint8Array) => Promise<Raster>;

/** Segments of one plane, with where they lie in the image. */
function* segmentsOf(layout: TiffLayout): Generator<SegmentPlace & { readonly segment: TiffSegment }> {
  const { width, height, segmentWidth, segmentHeight, isTiled, isPlanar, segments } = layout;
  const columns = Math.ceil(width / segmentWidth);
  const perPlane = columns * Math.ceil(height / segmentHeight);
  for (let index = 0; index < segments.length; index += 1) {
    const place = index % perPlane;
    const top = Math.floor(place / columns) * segmentHeight;
    yield {
      segment: segments.at(index),
      left: (place % columns) * segmentWidth,
      top,
      rows: isTiled ? segmentHeight : Math.min(segmentHeight, height - top),
      plane: isPlanar ? Math.floor(index / perPlane) : undefined,
    };
  }
}

/** Copies what of a segment lies in the image. */
const copyRaster = (from: Raster, { left, top }: SegmentPlace, to: DecodedPixels): void => {
  const rows = Math.min(from.height, to.height - top);
  const bytes = Math.min(from.width, to.width - left) * PIXEL_BYTES;
  for (let y = 0; y < rows; y += 1) {
    const start = y * from.width * PIXEL_BYTES;
    to.data.set(from.data.subarray(start, start + bytes), ((top + y) * to.width + left) * PIXEL_BYTES);
  }
};

const readJpegSegments = async (
  file: TiffFile,
  layout: TiffLayout,
  pixels: DecodedPixels,
  decodeJpeg: JpegDecoder,
): Promise<void> => {
  for (const { segment, ...place } of segmentsOf(layout)) {
    const jpeg = tiffJpeg(file.bytes.subarray(segment.start, segment.end), layout);
    if (recogniseFormat(jpeg) !== 'jpeg') throw damagedImage();
    const stated = readJpeg(jpeg, NO_NOTES, () => undefined);
    // The stream's own size is what decoders allocate.
    if (
      stated.width !== layout.segmentWidth ||
      stated.height < Math.min(place.rows, layout.height - place.top)
    ) {
      throw damagedImage();
    }
    if (stated.height > layout.segmentHeight) throw damagedImage();
    copyRaster(await decodeJpeg(jpeg), place, pixels);
  }
};

const readSegments = (file: TiffFile, layout: TiffLayout, pixels: DecodedPixels): void => {
  const { segmentWidth, samplesPerPixel, bitsPerSample, compression } = layout;
  const write = createSampleWriter(layout, file.littleEndian, pixels);
  for (const { segment, ...place } of segmentsOf(layout)) {
    const samples = place.plane === undefined ? samplesPerPixel : 1;
    const rowBytes = Math.ceil((segmentWidth * samples * bitsPerSample) / 8);
    const packed = file.bytes.subarray(segment.start, segment.end);
    write(unpack(packed, compression, rowBytes * place.rows), rowBytes, place);
  }
};

const spaceOf = ({ photometric }: TiffLayout): DecodedPixels['space'] => {
  if (photometric === TIFF_PHOTOMETRIC.cmyk) return 'cmyk';
  const isGrey = photometric === TIFF_PHOTOMETRIC.whiteIsZero || photometric === TIFF_PHOTOMETRIC.blackIsZero;
  return isGrey ? 'grey' : 'rgb';
};

const prepare = (layout: TiffLayout): DecodedPixels => {
  const { width, height, profile, alpha } = layout;
  const space = spaceOf(layout);
  const data = new Uint8Array(width * height * PIXEL_BYTES);
  const hasPlane = space === 'cmyk' && alpha !== undefined;
  if (space !== 'cmyk') data.fill(255);
  return {
    width,
    height,
    data,
    space,
    transform: profile && transformOf(profile, space),
    ...(hasPlane && { alpha: new Uint8Array(width * height).fill(255) }),
  };
};

/**
 * Decodes a TIFF file that was sniffed; not turned upright.
 *
 * Written for both hosts: browsers read no TIFF, and readers differ in how they convert its colours.
 *
 * @throws UnreadableFile where its pixels are damaged
 */
export const decodeTiff = async (bytes: Uint8Array, decodeJpeg: JpegDecoder): Promise<DecodedPixels> => {
  const file = openTiff(bytes);
  const layout = readTiffLayout(onlyPage(file));
  const pixels = prepare(layout);
  if (layout.compression === TIFF_COMPRESSION.jpeg) await readJpegSegments(file, layout, pixels, decodeJpeg);
  else readSegments(file, layout, pixels);
  if (layout.alpha === EXTRA_SAMPLE.associatedAlpha && pixels.space !== 'cmyk') divideByAlpha(pixels.data);
  return pixels;
};
