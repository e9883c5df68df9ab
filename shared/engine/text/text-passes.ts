import type { ModelInput } from '../../domain/manifest';
import { scalesFor } from '../detect/detect';
import type { TextScale } from '../detect/quality-presets';
import { fitEvenWindows, fitLongSide, type Letterbox } from '../pixels/letterbox';
import type { Tile } from '../pixels/tile';

/** Side of the windows of a finer scale, in network px: as many px as the network gets for a whole image. */
const WINDOW_PX = 960;
/** The same for low memory. */
const LOW_MEMORY_WINDOW_PX = 640;
/**
 * Minimum overlap of windows, in network px: three letters of 40 px, so that another window contains what one cuts.
 * Higher letters are found in the whole image. An overlap of a quarter, as for other classes, takes a third longer in
 * images of 12 MP.
 */
const OVERLAP_PX = 128;
/** Scales closer together than this find the same text twice. */
const MIN_SCALE_STEP = 1.4;

/** The finer scales of a tile, as long sides in px. */
const finerScales = (tile: Tile, coarse: number, scales: readonly TextScale[]): readonly number[] => {
  const own = Math.max(tile.width, tile.height);
  const finer: number[] = [];
  for (const { enlargement, maxLongSide } of scales) {
    const longSide = Math.round(Math.min(enlargement * own, maxLongSide));
    if (longSide >= (finer.at(-1) ?? coarse) * MIN_SCALE_STEP) finer.push(longSide);
  }
  return finer;
};

/** How a text detector is run over an image. */
export interface TextSearch {
  readonly scales: readonly TextScale[];
  readonly sparesMemory: boolean;
}

/**
 * Plans the runs of the text detector: each tile as a whole, for large letters, and in windows at finer scales, for small
 * ones.
 */
export const planTextPasses = (
  tiles: readonly Tile[],
  input: ModelInput,
  { scales, sparesMemory }: TextSearch,
): readonly Letterbox[] => {
  const { multipleOf = 1 } = input;
  const side = sparesMemory ? LOW_MEMORY_WINDOW_PX : WINDOW_PX;
  return tiles.flatMap((tile) => {
    const coarse = scalesFor(tile, input);
    const finer = finerScales(tile, coarse.at(-1) ?? 0, scales);
    return [
      ...coarse.map((longSide) => fitLongSide(tile, longSide, multipleOf)),
      ...finer.flatMap((longSide) =>
        fitEvenWindows(tile, longSide, { side, overlap: OVERLAP_PX, multipleOf }),
      ),
    ];
  });
};
