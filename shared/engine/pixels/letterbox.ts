import type { Box } from '../../domain/boxes';
import type { Corner } from '../../domain/detection';
import { spreadStarts, windowsOf, type Tile, type Cut } from './tile';

/** Geometry of a tile in a network's input: scaled into the upper left corner; the rest is padding. */
export interface Letterbox {
  readonly tile: Tile;
  /** Network px per image px for each axis; they differ slightly, because sizes are whole numbers. */
  readonly scaleX: number;
  readonly scaleY: number;
  readonly netWidth: number;
  readonly netHeight: number;
  /** Whether the input is mirrored left to right. */
  readonly isMirrored?: boolean;
}

const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple;

/**
 * Plans the input for a network with an open input size.
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

/** With unchanged proportions. */
const scaled = (tile: Tile, scale: number, netWidth: number, netHeight: number): Letterbox => ({
  tile,
  scaleX: scale,
  scaleY: scale,
  netWidth,
  netHeight,
});

/** Plans the input for a network with an open input size at a fixed scale, which all windows of one pass share. */
export const fitAtScale = (tile: Tile, scale: number, multipleOf: number): Letterbox => {
  const netSide = (px: number): number => roundUp(Math.max(1, Math.round(px * scale)), multipleOf);
  return scaled(tile, scale, netSide(tile.width), netSide(tile.height));
};

/** Overlap of neighbouring windows, as a share of a window's side. */
const WINDOW_OVERLAP = 0.25;

/** Divides `length` px into overlapping windows of at most `extent` px. @returns whole px */
const cut = (length: number, extent: number): Cut => {
  if (length <= extent) return { starts: [0], extent: length };
  const whole = Math.max(1, Math.floor(extent));
  const count = Math.ceil((length - whole) / (whole * (1 - WINDOW_OVERLAP))) + 1;
  return { starts: spreadStarts(count, length - whole), extent: whole };
};

/** Plans the input for a network of fixed size that expects its image or subject stretched to fill it. */
export const stretchTo = (tile: Tile, netWidth: number, netHeight: number): Letterbox => ({
  tile,
  scaleX: netWidth / tile.width,
  scaleY: netHeight / tile.height,
  netWidth,
  netHeight,
});

/** Plans the input for a network of fixed size that expects its subject with unchanged proportions. */
export const fitInside = (tile: Tile, netWidth: number, netHeight: number): Letterbox => {
  const scale = Math.min(netWidth / tile.width, netHeight / tile.height);
  return scaled(tile, scale, netWidth, netHeight);
};

/**
 * Plans the inputs for a network of fixed size at a scale where the tile may be larger than the input: windows that
 * overlap by a quarter, so that an object cut by one of them is whole in another.
 *
 * @param longSide to which the tile's longer side is scaled, px
 */
export const fitWindows = (
  tile: Tile,
  longSide: number,
  [netWidth, netHeight]: readonly [number, number],
): readonly Letterbox[] => {
  const scale = longSide / Math.max(tile.width, tile.height);
  const windows = windowsOf(tile, cut(tile.width, netWidth / scale), cut(tile.height, netHeight / scale));
  return windows.map((window) => scaled(window, scale, netWidth, netHeight));
};

/** The windows of a pass, in network px. */
export interface EvenWindows {
  /** Maximum side; a multiple of `multipleOf`. */
  readonly side: number;
  /** Minimum overlap of neighbours. */
  readonly overlap: number;
  /** What the network requires of its input's sides. */
  readonly multipleOf: number;
}

/** Divides `length` px into as few windows as possible, and these are as short as possible. @returns whole px */
const cutEvenly = (length: number, scale: number, { side, overlap, multipleOf }: EvenWindows): Cut => {
  const longest = Math.max(1, Math.floor(side / scale));
  if (length <= longest) return { starts: [0], extent: length };
  const shared = Math.min(longest - 1, Math.ceil(overlap / scale));
  const count = Math.ceil((length - shared) / (longest - shared));
  const needed = Math.ceil((length + (count - 1) * shared) / count);
  // The network gets whole multiples: image instead of padding.
  const extent = Math.min(longest, Math.floor(roundUp(needed * scale, multipleOf) / scale));
  return { starts: spreadStarts(count, length - extent), extent };
};

/**
 * Plans the inputs for a network with an open input size at a scale where the tile may be too large for one input:
 * windows of one size.
 *
 * @param longSide to which the tile's longer side is scaled, px
 */
export const fitEvenWindows = (tile: Tile, longSide: number, windows: EvenWindows): readonly Letterbox[] => {
  const scale = longSide / Math.max(tile.width, tile.height);
  const across = cutEvenly(tile.width, scale, windows);
  const down = cutEvenly(tile.height, scale, windows);
  const { multipleOf } = windows;
  // Tolerance, because a side may be a multiple of all but rounding.
  const netSide = (extent: number): number => roundUp(Math.max(1, extent * scale - 1e-6), multipleOf);
  return windowsOf(tile, across, down).map((window) =>
    scaled(window, scale, netSide(across.extent), netSide(down.extent)),
  );
};

/** Converts a point from network px to image px. */
export const undoLetterboxAt = ([x, y]: Corner, fit: Letterbox): Corner => [
  (fit.isMirrored ? fit.netWidth - x : x) / fit.scaleX + fit.tile.x,
  y / fit.scaleY + fit.tile.y,
];

/** Converts a box from network px to image px. */
export const undoLetterbox = (box: Box<'network'>, fit: Letterbox): Box => {
  const [x1, y1] = undoLetterboxAt([fit.isMirrored ? box.x2 : box.x1, box.y1], fit);
  const [x2, y2] = undoLetterboxAt([fit.isMirrored ? box.x1 : box.x2, box.y2], fit);
  return { x1, y1, x2, y2 };
};
