import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Size } from '../../domain/raster';
import type { RequestedTiling } from '../../domain/options';

/** A part of the image that is searched by itself, in image px. Beyond the image's edges the edge pixels repeat … */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** … unless the image continues at the other side, as a panorama does. */
  readonly wraps: boolean;
}

/** The tile that a box covers. */
export const tileOver = (box: Box): Tile => ({
  ...{ x: box.x1, y: box.y1, width: boxWidth(box), height: boxHeight(box) },
  wraps: false,
});

/** The box that a tile covers. */
export const boxOfTile = ({ x, y, width, height }: Tile): Box => ({
  x1: x,
  y1: y,
  x2: x + width,
  y2: y + height,
});

/** Windows along one side of a tile, in px. */
export interface Cut {
  readonly starts: readonly number[];
  readonly extent: number;
}

/** Starts of `count` windows, of which the last one starts at `last`. */
export const spreadStarts = (count: number, last: number): number[] =>
  Array.from({ length: count }, (_, i) => (count === 1 ? 0 : Math.round((i * last) / (count - 1))));

/** The windows of a tile, row by row. */
export const windowsOf = (tile: Tile, across: Cut, down: Cut): Tile[] =>
  down.starts.flatMap((y) =>
    across.starts.map((x) => ({
      ...tile,
      ...{ x: tile.x + x, y: tile.y + y, width: across.extent, height: down.extent },
    })),
  );

/** Side of a panorama's tiles, in px of a panorama that is as wide as `presetWidth`. */
const PANO_TILE_PX = 2048;
/** Overlap of neighbouring panorama tiles, as a share of their sides, so that a pedestrian is whole in one of them. */
const PANO_OVERLAP = 0.25;

/** Divides `length` px into `count` windows, with neighbours that overlap by the share `overlap`. */
const cut = (length: number, count: number, overlap: number): Cut => {
  const extent = Math.min(length, Math.ceil(length / (count - (count - 1) * overlap)));
  return { starts: spreadStarts(count, length - extent), extent };
};

const wholeImage = ({ width, height }: Size): Tile => ({ x: 0, y: 0, width, height, wraps: false });

const grid = (size: Size, columns: number, rows: number, [x, y]: readonly [number, number]): Tile[] =>
  windowsOf(wholeImage(size), cut(size.width, columns, x), cut(size.height, rows, y));

/** Tiles around an equirectangular image. Rows wrap at the seam, so that no object is cut by it in all tiles. */
const panoramaTiles = (size: Size, presetWidth: number): Tile[] => {
  const tilePx = Math.min(size.width, Math.round((PANO_TILE_PX * size.width) / presetWidth));
  const step = tilePx * (1 - PANO_OVERLAP);
  const columns = Math.max(1, Math.ceil(size.width / step));
  const rows = Math.max(1, Math.ceil((size.height - tilePx * PANO_OVERLAP) / step));
  const starts = Array.from({ length: columns }, (_, i) => Math.round((i * size.width) / columns));
  const down = cut(size.height, rows, PANO_OVERLAP);
  return windowsOf({ ...wholeImage(size), wraps: true }, { starts, extent: tilePx }, down);
};

/**
 * The tiles to search. The whole image always comes first: an object larger than a tile is found only there.
 *
 * @param size of the upright image, px
 */
export const planTiles = (size: Size, tiling: RequestedTiling): readonly Tile[] => {
  const whole = wholeImage(size);
  switch (tiling.kind) {
    case 'whole':
    case 'auto':
    case 'guess': // of an image that is searched by itself
      return [whole];
    case 'grid': {
      const [columns, rows] = tiling.number;
      return columns * rows === 1 ? [whole] : [whole, ...grid(size, columns, rows, tiling.overlap)];
    }
    case 'pano':
      return [whole, ...panoramaTiles(size, tiling.width)];
  }
};
