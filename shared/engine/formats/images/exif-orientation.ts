const ORIENTATION_TAG = 0x0112;
const SHORT_TYPE = 3;
const ENTRY_BYTES = 12;
const TIFF_MAGIC = 42;

/** The offset of the orientation entry in IFD 0, or undefined. */
const findOrientationEntry = (tiff: DataView, littleEndian: boolean): number | undefined => {
  const ifd = tiff.getUint32(4, littleEndian);
  const count = tiff.getUint16(ifd, littleEndian);
  for (let i = 0; i < count; i++) {
    const entry = ifd + 2 + i * ENTRY_BYTES;
    if (tiff.getUint16(entry, littleEndian) === ORIENTATION_TAG) return entry;
  }
  return undefined;
};

const readOrientation = (tiff: DataView): number => {
  const byteOrder = tiff.getUint16(0);
  const littleEndian = byteOrder === 0x4949;
  if (!littleEndian && byteOrder !== 0x4d4d) return 1;
  if (tiff.getUint16(2, littleEndian) !== TIFF_MAGIC) return 1;
  const entry = findOrientationEntry(tiff, littleEndian);
  if (entry === undefined || tiff.getUint16(entry + 2, littleEndian) !== SHORT_TYPE) return 1;
  const orientation = tiff.getUint16(entry + 8, littleEndian);
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
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
    return readOrientation(new DataView(exif.buffer, exif.byteOffset, exif.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
};
