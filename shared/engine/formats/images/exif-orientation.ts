import { exifEntries, firstDirectory, openExif, type ExifBlock } from '../exif-directory';

const ORIENTATION_TAG = 0x0112;
const SHORT_TYPE = 3;
const TIFF_MAGIC = 42;

const readOrientation = (tiff: ExifBlock): number => {
  const { view, littleEndian } = tiff;
  if (view.getUint16(2, littleEndian) !== TIFF_MAGIC) return 1;
  for (const entry of exifEntries(tiff, firstDirectory(tiff))) {
    if (view.getUint16(entry, littleEndian) !== ORIENTATION_TAG) continue;
    if (view.getUint16(entry + 2, littleEndian) !== SHORT_TYPE) return 1;
    const orientation = view.getUint16(entry + 8, littleEndian);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
};

/**
 * Reads the orientation by which an image is rotated and mirrored to stand upright.
 *
 * Invalid EXIF is no reason to refuse an image: viewers show it as stored, and so does Veil.
 *
 * @param exif a TIFF structure, without the `Exif\0\0` that JPEG puts before it
 * @returns 1..8; 1 if absent or invalid
 * @see CIPA DC-008 (Exif 2.32), 4.6.4, tag 274
 */
export const exifOrientation = (exif: Uint8Array): number => {
  try {
    const tiff = openExif(exif);
    return tiff ? readOrientation(tiff) : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
};
