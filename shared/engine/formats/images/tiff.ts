import type { MetadataKind } from '../../../domain/image-header';
import { UnreadableFile } from '../../../domain/failure';
import { NO_NOTES, rangeOf, type HeaderNotes, type HeaderReader } from '../header-reader';
import {
  bytesOf,
  numberOf,
  openTiff,
  readDirectories,
  type TiffDirectory,
  type TiffFile,
} from './tiff-fields';
import { readTiffLayout, readTiffSize } from './tiff-layout';

const ORIENTATION = 274;
const SUBFILE_TYPE = 254;
/** In the subfile type: a smaller version of another page, or its transparency mask. */
const NO_PAGE_FLAGS = 0b101;
const DNG_VERSION = 50_706;
const XMP = 700;

const isPage = (directory: TiffDirectory): boolean =>
  ((numberOf(directory, SUBFILE_TYPE) ?? 0) & NO_PAGE_FLAGS) === 0;

/** Fields that say something next to the image. */
const KINDS: Readonly<Record<number, MetadataKind>> = {
  ...{ 270: 'text', 271: 'exif', 272: 'exif', 305: 'exif', 306: 'time', 315: 'text', 330: 'other-pictures' },
  ...{ 700: 'xmp', 33_432: 'text', 33_723: 'iptc', 34_377: 'iptc', 34_665: 'exif' },
  ...{ 34_675: 'colour-profile', 34_853: 'place' },
};

const noteFields = (page: TiffDirectory, note: HeaderNotes['note']): void => {
  for (const tag of page.fields.keys()) if (KINDS[tag]) note(KINDS[tag]);
};

/**
 * The one page of a TIFF file.
 *
 * @throws UnreadableFile where there are several: only the first would be searched, and the others show people as well
 */
export const onlyPage = (file: TiffFile, note = NO_NOTES.note): TiffDirectory => {
  let first: TiffDirectory | undefined;
  let [directories, others] = [0, 0];
  for (const directory of readDirectories(file, [SUBFILE_TYPE])) {
    directories += 1;
    if (!first) first = directory;
    else if (isPage(directory)) others += 1;
  }
  if (first) noteFields(first, note);
  if (directories > 1) note('thumbnail');
  if (!first || first.fields.has(DNG_VERSION)) {
    throw new UnreadableFile('The file is a raw image of a camera; develop it to JPEG or TIFF first.');
  }
  if (others > 0) {
    throw new UnreadableFile(`This TIFF has ${1 + others} pages; only files of one page are supported.`);
  }
  return first;
};

/** Reads the size and layout of a TIFF file's page. The file has the structure of EXIF, and the same fields. */
export const readTiff: HeaderReader = (bytes, notes, checkSize) => {
  const file = openTiff(bytes);
  const page = onlyPage(file, notes.note);
  const xmp = bytesOf(page, XMP);
  if (xmp) notes.noteXmp(xmp);
  const orientation = numberOf(page, ORIENTATION) ?? 1;
  const size = readTiffSize(page);
  // Before the layout, whose tables grow with the claimed size.
  checkSize(size);
  return {
    ...{ format: 'tiff', ...size, orientation: orientation >= 1 && orientation <= 8 ? orientation : 1 },
    hasAlpha: readTiffLayout(page).alpha !== undefined,
    exif: [[0, bytes.length]],
    ...(xmp && { xmp: [rangeOf(bytes, xmp)] }),
  };
};
