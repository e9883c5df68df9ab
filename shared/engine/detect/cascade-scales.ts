import type { CascadePreset } from './quality-presets';
import { CASCADE } from './detect-limits';
import { clamp } from '../../domain/clamp';
import type { Tile } from '../pixels/tile';

/** One scale of a cascade. */
export interface CascadeScale {
  /** Px to which the tile's longer side is scaled. */
  readonly longSide: number;
  /** Whether the whole tile is searched, or only the proposals of the scales before. */
  readonly coverage: 'all' | 'proposed';
  /** Maximum network px of one window. */
  readonly maxWindowPx: number;
}

/**
 * The scales at which a detector searches a tile, coarse first.
 *
 * A large tile is searched as a whole at a coarse scale, for faces near the camera, and in windows at a finer one, for
 * small faces that the coarse one loses.
 */
export const cascadeScales = (
  { width, height }: Pick<Tile, 'width' | 'height'>,
  { coarse, large, zooms, maxEnlargement, maxPxForAll }: CascadePreset,
  isLowMemory = false,
): readonly CascadeScale[] => {
  const maxWindowPx = isLowMemory ? CASCADE.lowMemoryWindowPx : CASCADE.maxWindowPx;
  const side = Math.max(width, height);
  const limit = Math.round(side * maxEnlargement);
  const pixelsAt = (longSide: number): number => width * height * (longSide / side) ** 2;
  const scale = (longSide: number, min: CascadeScale['coverage']): CascadeScale => {
    const coverage = pixelsAt(longSide) <= maxPxForAll ? 'all' : min;
    return { longSide, coverage, maxWindowPx: maxWindowPx[coverage] };
  };
  // The first pass is not divided into parts: a face larger than their overlap would be whole in none of them.
  const atOnce = (longSide: number): number =>
    Math.max(1, Math.min(longSide, Math.floor(longSide * Math.sqrt(maxWindowPx.all / pixelsAt(longSide)))));
  const isLarge = large !== undefined && side > large.fromSide;
  const scales = isLarge
    ? [scale(atOnce(large.overview), 'all'), scale(large.longSide, 'all')]
    : [scale(atOnce(Math.min(limit, clamp(side, coarse.min, coarse.max))), 'all')];
  for (const zoom of zooms) {
    const { longSide } = scales.at(-1) as CascadeScale;
    const next = Math.min(limit, Math.round(longSide * zoom));
    if (next >= CASCADE.minStep * longSide) scales.push(scale(next, 'proposed'));
  }
  return scales;
};
