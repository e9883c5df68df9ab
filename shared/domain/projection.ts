import { UnreadableFile } from './failure';
import { LIMITS } from './limits';
import type { RequestedTiling, Tiling } from './options';
import type { Size } from './raster';

/** What a file says of the way in which it shows the surroundings. */
export const PROJECTIONS = [
  /** All around, equirectangular. */
  'sphere',
  /** A part of it, as panoramas of phones are: an ordinary image. */
  'part',
  /** The six faces of a cube. */
  'cube',
  /** The pictures of the lenses, not stitched. */
  'lenses',
  /** One for each eye. */
  'stereo',
  /** The file says two different things. */
  'contradictory',
] as const;
export type Projection = (typeof PROJECTIONS)[number];

const OTHERWISE = 'or choose format=whole or format=pano:N.';
const REFUSED = {
  cube: `The file says that it shows the faces of a cube: convert it to an equirectangular panorama first, ${OTHERWISE}`,
  lenses: `The file says that it shows the pictures of single lenses: stitch them to a panorama first, ${OTHERWISE}`,
  stereo: `The file says that it is a panorama for two eyes: save one of them as a panorama first, ${OTHERWISE}`,
  contradictory: `What the file says of its panorama contradicts itself: correct its metadata, ${OTHERWISE}`,
} as const satisfies Partial<Record<Projection, string>>;

/**
 * The tiling of an image or video: the requested one, or with `auto` that of a panorama where the file says that it is
 * one. A file that says something that is not searched is refused rather than searched wrongly.
 *
 * @param file its upright size, and what it says
 * @throws UnreadableFile
 */
export const tilingOf = (
  format: RequestedTiling,
  { projection, width, height }: Size & { readonly projection?: Projection | undefined },
): Tiling => {
  if (format.kind !== 'auto') return format;
  if (projection === undefined || projection === 'part') return { kind: 'whole' };
  if (projection !== 'sphere') throw new UnreadableFile(REFUSED[projection]);
  if (Math.abs(width - 2 * height) > Math.max(2, width / 100)) {
    throw new UnreadableFile(REFUSED.contradictory);
  }
  return { kind: 'pano', width: Math.min(LIMITS.maxPanoramaPx, Math.max(LIMITS.minPanoramaPx, width)) };
};
