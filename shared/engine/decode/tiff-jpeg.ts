import { TIFF_PHOTOMETRIC, type TiffLayout } from '../formats/images/tiff-layout';

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
export const tiffJpeg = (
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
