import type { CascadeEffort } from './quality-presets';
import { clamp } from '../../domain/clamp';
import type { Tile } from '../pixels/tile';

/** One scale of a cascade. */
export interface CascadeScale {
  /** Px to which the tile's longer side is scaled. */
  readonly longSide: number;
  /** Whether the whole tile is looked at, or what the scales before propose. */
  readonly coverage: 'all' | 'proposed';
  /** Network px of one window at most. */
  readonly maxWindowPx: number;
}

/** Network px of one run at most: it bounds memory, whatever the picture's size. */
const MAX_WINDOW_PX = { all: 1024 * 768, proposed: 768 * 640 } as const;
/** The same where memory is short. */
const LOW_MEMORY_WINDOW_PX = { all: 768 * 576, proposed: 512 * 384 } as const;
/** A finer scale shows something new from this step on. */
const MIN_STEP = 1.3;

/**
 * The scales at which a detector looks at a tile, coarse first.
 *
 * Large tiles are seen as a whole at a coarse scale, for faces near the camera, and in windows at a finer one: their small
 * faces are lost on the coarse one.
 */
export const cascadeScales = (
  { width, height }: Pick<Tile, 'width' | 'height'>,
  { coarse, large, zooms, maxEnlargement, maxPxForAll }: CascadeEffort,
  isLowMemory = false,
): readonly CascadeScale[] => {
  const maxWindowPx = isLowMemory ? LOW_MEMORY_WINDOW_PX : MAX_WINDOW_PX;
  const side = Math.max(width, height);
  const limit = Math.round(side * maxEnlargement);
  const pixelsAt = (longSide: number): number => width * height * (longSide / side) ** 2;
  const scale = (longSide: number, min: CascadeScale['coverage']): CascadeScale => {
    const coverage = pixelsAt(longSide) <= maxPxForAll ? 'all' : min;
    return { longSide, coverage, maxWindowPx: maxWindowPx[coverage] };
  };
  // The first pass sees all at once: a face that is larger than the strip which parts share is whole in no part.
  const atOnce = (longSide: number): number =>
    Math.max(1, Math.min(longSide, Math.floor(longSide * Math.sqrt(maxWindowPx.all / pixelsAt(longSide)))));
  const isLarge = large !== undefined && side > large.fromSide;
  const scales = isLarge
    ? [scale(atOnce(large.overview), 'all'), scale(large.longSide, 'all')]
    : [scale(atOnce(Math.min(limit, clamp(side, coarse.min, coarse.max))), 'all')];
  for (const zoom of zooms) {
    const { longSide } = scales.at(-1) as CascadeScale;
    const next = Math.min(limit, Math.round(longSide * zoom));
    if (next >= MIN_STEP * longSide) scales.push(scale(next, 'proposed'));
  }
  return scales;
};
