import type { Box } from './boxes';
import type { Corner } from './detection';
import type { Tile } from './tile';

/** How a tile was laid into a network's input: upper left, scaled, the rest black. */
export interface Letterbox {
  readonly tile: Tile;
  /** Network px per image px, per axis: sizes are whole numbers, so they differ a little. */
  readonly scaleX: number;
  readonly scaleY: number;
  readonly netWidth: number;
  readonly netHeight: number;
}

const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple;

/**
 * Plans the input for a network that takes any size.
 *
 * @param longSide to which the tile's longer side is scaled, px
 */
export const fitLongSide = (tile: Tile, longSide: number, multipleOf: number): Letterbox => {
  const scale = longSide / Math.max(tile.width, tile.height);
  const width = Math.max(1, Math.round(tile.width * scale));
  const height = Math.max(1, Math.round(tile.height * scale));
  return {
    tile,
    scaleX: width / tile.width,
    scaleY: height / tile.height,
    netWidth: roundUp(width, multipleOf),
    netHeight: roundUp(height, multipleOf),
  };
};

/** Plans the input for a network of one size that expects its subject stretched to fill it. */
export const stretchTo = (tile: Tile, netWidth: number, netHeight: number): Letterbox => ({
  tile,
  scaleX: netWidth / tile.width,
  scaleY: netHeight / tile.height,
  netWidth,
  netHeight,
});

/** Plans the input for a network of one size that expects its subject's proportions kept. */
export const fitInside = (tile: Tile, netWidth: number, netHeight: number): Letterbox => {
  const scale = Math.min(netWidth / tile.width, netHeight / tile.height);
  return { tile, scaleX: scale, scaleY: scale, netWidth, netHeight };
};

/** A point in network px, back in image px. */
export const undoLetterboxAt = ([x, y]: Corner, fit: Letterbox): Corner => [
  x / fit.scaleX + fit.tile.x,
  y / fit.scaleY + fit.tile.y,
];

/** A box in network px, back in image px. */
export const undoLetterbox = (box: Box<'network'>, fit: Letterbox): Box => ({
  x1: box.x1 / fit.scaleX + fit.tile.x,
  y1: box.y1 / fit.scaleY + fit.tile.y,
  x2: box.x2 / fit.scaleX + fit.tile.x,
  y2: box.y2 / fit.scaleY + fit.tile.y,
});
