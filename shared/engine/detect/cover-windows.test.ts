import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import type { Box } from '../../domain/boxes';
import { coverWindows, cutTile } from './cascade-windows';
import type { Tile } from '../pixels/tile';

const TILE: Tile = { x: 0, y: 0, width: 1000, height: 800, wraps: false };
const MANY = 10_000_000;

const holds = (tile: Tile, box: Box): boolean =>
  tile.x <= box.x1 && tile.y <= box.y1 && tile.x + tile.width >= box.x2 && tile.y + tile.height >= box.y2;
const isInside = (tile: Tile, outer: Tile): boolean =>
  tile.x >= outer.x &&
  tile.y >= outer.y &&
  tile.x + tile.width <= outer.x + outer.width &&
  tile.y + tile.height <= outer.y + outer.height;

describe('windows over boxes', () => {
  const boxes = [boxOf(20, 20, 40, 40), boxOf(60, 30, 75, 50), boxOf(900, 700, 930, 730)];

  it('contain each box with its surroundings, and stay inside the tile', () => {
    const windows = coverWindows(TILE, 2, boxes, MANY);
    for (const box of boxes) {
      const around = boxOf(
        Math.max(0, box.x1 - 12),
        Math.max(0, box.y1 - 12),
        Math.min(TILE.width, box.x2 + 12),
        Math.min(TILE.height, box.y2 + 12),
      );
      expect(windows.some((window) => holds(window, around))).toBe(true);
    }
    expect(windows.every((window) => isInside(window, TILE))).toBe(true);
  });

  it('are few: boxes close together share one, those far apart do not', () => {
    const windows = coverWindows(TILE, 2, boxes, MANY);
    expect(windows).toHaveLength(2);
    const area = windows.reduce((sum, { width, height }) => sum + width * height, 0);
    expect(area).toBeLessThan(0.1 * TILE.width * TILE.height);
  });

  it('are none without boxes', () => {
    expect(coverWindows(TILE, 2, [], MANY)).toEqual([]);
  });

  it('are one over the whole tile if it is full of boxes', () => {
    const full = Array.from({ length: 400 }, (_, i) => {
      const [x, y] = [50 * (i % 20), 40 * Math.floor(i / 20)];
      return boxOf(x, y, x + 20, y + 20);
    });
    expect(coverWindows(TILE, 1, full, MANY)).toEqual([TILE]);
  });

  it('are at the tile’s place, which may continue beyond a panorama’s seam', () => {
    const wrapping = { x: 3500, y: 100, width: 1000, height: 800, wraps: true };
    const [window] = coverWindows(wrapping, 1, [boxOf(4100, 200, 4130, 230)], MANY);
    expect(window?.wraps).toBe(true);
    expect(window && holds(window, boxOf(4100, 200, 4130, 230))).toBe(true);
  });
});

describe('a tile with too many network px', () => {
  it('is cut into overlapping parts within the limit, which cover it', () => {
    for (const [width, height] of [
      [1000, 800],
      [4000, 300],
      [30, 12_000],
      [999, 1001],
    ] as const) {
      const tile = { ...TILE, width, height };
      const parts = cutTile(tile, 1.5, 400_000);
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) {
        expect(isInside(part, tile)).toBe(true);
        expect(part.width * part.height * 1.5 ** 2).toBeLessThanOrEqual(1.05 * 400_000);
      }
      for (let x = 5; x + 40 < width; x += 37) {
        for (let y = 5; y + 40 < height; y += 41) {
          const box = boxOf(x, y, Math.min(width, x + 40), Math.min(height, y + 40));
          expect(parts.some((part) => holds(part, box))).toBe(true);
        }
      }
    }
  });

  it('stays whole if it is within the limit', () => {
    expect(cutTile(TILE, 1, MANY)).toEqual([TILE]);
  });
});
