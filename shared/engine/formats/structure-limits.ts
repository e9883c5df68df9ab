import { FORMATS, type ImageSourceFormat } from '../../catalogue/formats';
import { tooManyParts } from '../../domain/failure';

/** Limits beside `maxStructures` of the format. */
export const MAX_STRUCTURES = {
  /** Directories: the page, and smaller copies of it. More pages than these are refused without their number. */
  tiffDirectories: 4_096,
  /** Strips or tiles of a TIFF page: 65,535 rows of four samples that lie apart, or 2^27 pixels in tiles of 32 × 16. */
  tiffSegments: 2 ** 18,
} as const;

/** Counts structures that are about to be read. @throws UnreadableFile above the limit */
export type CountStructures = (count?: number) => void;

/** Formats with a limit in the table. */
type CountedFormat = {
  [Name in ImageSourceFormat]: (typeof FORMATS)[Name] extends { readonly maxStructures: number }
    ? Name
    : never;
}[ImageSourceFormat];

export const maxStructures = (format: CountedFormat): number => FORMATS[format].maxStructures;

/** Starts to count the structures of a file. @param limit where it is not that of the format */
export const countStructures = (format: CountedFormat, limit = maxStructures(format)): CountStructures => {
  let left = limit;
  return (count = 1) => {
    left -= count;
    if (left < 0) throw tooManyParts(FORMATS[format].name);
  };
};
