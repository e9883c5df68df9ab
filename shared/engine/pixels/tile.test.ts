import { describe, expect, it } from 'vitest';
import type { Tiling } from '../../domain/options';
import { planTiles, type Tile } from './tile';

const grid = (columns: number, rows: number, overlap = 0): Tiling => ({
  kind: 'grid',
  number: [columns, rows],
  overlap: [overlap, overlap],
});
const SIZES = [
  { width: 1280, height: 720 },
  { width: 101, height: 67 },
  { width: 7, height: 3 },
  { width: 8000, height: 4000 },
];
/** Number of tiles that contain each column of the image; a wrapping tile continues at the left. */
const timesCovered = (tiles: readonly Tile[], length: number, side: 'x' | 'y'): number[] => {
  const covered = new Array<number>(length).fill(0);
  const windows = new Set(tiles.map((tile) => `${tile[side]} ${side === 'x' ? tile.width : tile.height}`));
  for (const window of windows) {
    const [start, extent] = window.split(' ').map(Number) as [number, number];
    for (let i = start; i < start + extent; i++) covered[i % length] = (covered[i % length] as number) + 1;
  }
  return covered;
};

describe('the tiles of an image', () => {
  it('are only the whole image by default, and for a grid of one', () => {
    const whole = { x: 0, y: 0, width: 1280, height: 720, wraps: false };
    expect(planTiles(SIZES[0]!, { kind: 'whole' })).toEqual([whole]);
    expect(planTiles(SIZES[0]!, grid(1, 1, 0.5))).toEqual([whole]);
  });

  it('begin with the whole image, for objects larger than a tile', () => {
    for (const tiling of [grid(3, 2), { kind: 'pano', width: 4096 } as const]) {
      expect(planTiles(SIZES[0]!, tiling)[0]).toEqual({ x: 0, y: 0, width: 1280, height: 720, wraps: false });
    }
  });
});

describe('a grid', () => {
  it.each(SIZES)('covers an image of $width × $height completely and stays inside it', (size) => {
    for (const [columns, rows] of [
      [2, 1],
      [1, 3],
      [4, 3],
      [7, 7],
    ] as const) {
      for (const overlap of [0, 0.1, 0.5, 0.9]) {
        const tiles = planTiles(size, grid(columns, rows, overlap)).slice(1);
        expect(tiles).toHaveLength(columns * rows);
        expect(Math.min(...timesCovered(tiles, size.width, 'x'))).toBeGreaterThanOrEqual(1);
        expect(Math.min(...timesCovered(tiles, size.height, 'y'))).toBeGreaterThanOrEqual(1);
        for (const { x, y, width, height, wraps } of tiles) {
          expect([x, y, width, height].every(Number.isInteger)).toBe(true);
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(Math.min(width, height)).toBeGreaterThan(0);
          expect(x + width).toBeLessThanOrEqual(size.width);
          expect(y + height).toBeLessThanOrEqual(size.height);
          expect(wraps).toBe(false);
        }
      }
    }
  });

  it('has neighbours with the requested overlap', () => {
    for (const overlap of [0.1, 0.25, 0.5]) {
      const [first, second] = planTiles({ width: 1000, height: 10 }, grid(3, 1, overlap)).slice(1) as [
        Tile,
        Tile,
      ];
      const shared = (first.x + first.width - second.x) / first.width;
      expect(Math.abs(shared - overlap)).toBeLessThan(2 / first.width);
    }
  });
});

describe('a panorama', () => {
  it.each([
    [8000, 4000, 8000],
    [8000, 4000, 4096],
    [11000, 5500, 11000],
    [2048, 1024, 4096],
    [1000, 500, 11000],
    [600, 2000, 1024],
    [301, 150, 4096],
  ])(
    'of %i × %i seen as %i px wide is covered all around, its seam inside a window',
    (width, height, preset) => {
      const tiles = planTiles({ width, height }, { kind: 'pano', width: preset }).slice(1);
      expect(Math.min(...timesCovered(tiles, width, 'x'))).toBeGreaterThanOrEqual(1);
      expect(Math.min(...timesCovered(tiles, height, 'y'))).toBeGreaterThanOrEqual(1);
      expect(tiles.some((tile) => tile.wraps && tile.x + tile.width > width)).toBe(true);
      for (const tile of tiles) {
        expect(tile.wraps).toBe(true);
        expect(tile.width).toBeLessThanOrEqual(width);
        expect(tile.x).toBeLessThan(width);
        expect(tile.y).toBeGreaterThanOrEqual(0);
        expect(tile.y + tile.height).toBeLessThanOrEqual(height);
      }
    },
  );

  it('contains every object narrower than a quarter of a tile as a whole in one tile', () => {
    const size = { width: 8000, height: 4000 };
    const tiles = planTiles(size, { kind: 'pano', width: 8000 }).slice(1);
    const narrow = Math.floor(tiles[0]!.width / 4) - 2;
    for (let x = 0; x < size.width; x += 37) {
      const holds = ({ x: start, width }: Tile): boolean =>
        [x, x + size.width].some((at) => at >= start && at + narrow <= start + width);
      expect(tiles.some(holds)).toBe(true);
    }
  });

  it('has smaller tiles the larger the preset width is', () => {
    const tileWidthFor = (preset: number): number =>
      planTiles({ width: 8000, height: 4000 }, { kind: 'pano', width: preset })[1]!.width;
    expect(tileWidthFor(4096)).toBeGreaterThan(tileWidthFor(8000));
  });
});
