import type { ImageSource } from '../../../domain/image-source';
import { UnreadableFile } from '../../../domain/unreadable-file';
import { numberOf, openTiff, readDirectories, type TiffDirectory, type TiffFile } from './tiff-fields';
import { readTiffLayout, readTiffSize } from './tiff-layout';

const ORIENTATION = 274;
const SUBFILE_TYPE = 254;
/** In the subfile type: a smaller version of another page, or its transparency mask. */
const NO_PAGE_FLAGS = 0b101;
const DNG_VERSION = 50_706;

const isPage = (file: TiffFile, directory: TiffDirectory): boolean =>
  ((numberOf(file, directory, SUBFILE_TYPE) ?? 0) & NO_PAGE_FLAGS) === 0;

/**
 * The one page of a TIFF file.
 *
 * @throws UnreadableFile where there are several: only the first would be searched, and the others show people as well
 */
export const onlyPage = (file: TiffFile): TiffDirectory => {
  let first: TiffDirectory | undefined;
  let others = 0;
  for (const directory of readDirectories(file, [SUBFILE_TYPE])) {
    if (!first) first = directory;
    else if (isPage(file, directory)) others += 1;
  }
  if (!first || first.has(DNG_VERSION)) {
    throw new UnreadableFile('The file is a raw picture of a camera; develop it to JPEG or TIFF first.');
  }
  if (others > 0) {
    throw new UnreadableFile(`This TIFF has ${1 + others} pages; only files of one page are supported.`);
  }
  return first;
};

/** Reads the size and layout of a TIFF file's page. */
export const sniffTiff = (bytes: Uint8Array, checkSize: (source: ImageSource) => void): ImageSource => {
  const file = openTiff(bytes);
  const page = onlyPage(file);
  const orientation = numberOf(file, page, ORIENTATION) ?? 1;
  const claim: ImageSource = {
    format: 'tiff',
    ...readTiffSize(file, page),
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    hasAlpha: false,
  };
  // Before the layout, whose tables grow with the claimed size.
  checkSize(claim);
  return { ...claim, hasAlpha: readTiffLayout(file, page).alpha !== undefined };
};
