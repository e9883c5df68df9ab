import { drawText, TEXT_HEIGHT, textWidth } from '../engine/redact/debug-overlay';
import type { Raster } from '../domain/raster';
import { createRaster, seededRandom } from './rasters';

/** Differences between photos of the same face. */
export interface PhotoConditions {
  /** Amplitude of the noise, 0..255. */
  readonly noise: number;
  /** Difference in brightness between the left and right side of the face, 0..255. */
  readonly sideLight: number;
  /** Shifts as shares of the face's side. */
  readonly shiftX: number;
  readonly shiftY: number;
}

export const STUDIO: PhotoConditions = { noise: 0, sideLight: 0, shiftX: 0, shiftY: 0 };

interface Wave {
  readonly across: number;
  readonly down: number;
  readonly phase: number;
  readonly strength: number;
}

const MAX_CYCLES = 6;
const WAVES = 24;
/** Amplitude of an identity's waves, about the same as that of the common parts of all faces. */
const STRENGTH = 32;

/** The individual part of a face: waves of up to six cycles per face. Finer waves are weaker, as in real faces. */
const wavesOf = (identity: number): Wave[] => {
  const random = seededRandom(identity * 7919 + 17);
  return Array.from({ length: WAVES }, () => {
    const across = (random() * 2 - 1) * MAX_CYCLES;
    const down = random() * MAX_CYCLES;
    const strength = STRENGTH / (1 + Math.hypot(across, down));
    return { across, down, phase: random() * 2 * Math.PI, strength };
  });
};

/** The common part of all faces: dark eyes and mouth on a lighter oval. */
const commonFace = (u: number, v: number): number => {
  const spot = (x: number, y: number, size: number): number =>
    Math.exp(-((u - x) ** 2 + (v - y) ** 2) / size ** 2);
  return (
    140 - 60 * (spot(0.3, 0.4, 0.1) + spot(0.7, 0.4, 0.1) + spot(0.5, 0.75, 0.12)) + 20 * spot(0.5, 0.5, 0.4)
  );
};

/** Background of all faces, equal so that it does not help to distinguish them. */
export const BACKDROP = [110, 110, 110] as const;

/** An image that is filled by an oval face of one of many identities. */
export const faceRaster = (
  identity: number,
  sidePx: number,
  conditions: PhotoConditions = STUDIO,
  photo = 0,
): Raster => {
  const waves = wavesOf(identity);
  const random = seededRandom(photo * 104_729 + identity);
  return createRaster(sidePx, sidePx, (x, y) => {
    if (Math.hypot((2 * x + 1) / sidePx - 1, (2 * y + 1) / sidePx - 1) > 1) return BACKDROP;
    const u = (x + 0.5) / sidePx + conditions.shiftX;
    const v = (y + 0.5) / sidePx + conditions.shiftY;
    const own = waves.reduce(
      (sum, { across, down, phase, strength }) =>
        sum + strength * Math.cos(2 * Math.PI * (across * u + down * v) + phase),
      0,
    );
    const light = conditions.sideLight * (u - 0.5) + conditions.noise * (random() * 2 - 1);
    const value = commonFace(u, v) + own + light;
    return [value + 15, value, value - 15];
  });
};

/** Black characters on a white plate, with a narrow margin. */
export const plateRaster = (text: string, scale: number): Raster => {
  const width = (textWidth(text) + 3) * scale;
  const height = (TEXT_HEIGHT + 4) * scale;
  const ink = new Set<number>();
  drawText(text, scale, (dx, dy) => ink.add((dy + 2 * scale) * width + dx + 2 * scale));
  return createRaster(width, height, (x, y) => (ink.has(y * width + x) ? [20, 20, 20] : [235, 235, 235]));
};

/** Copies one image into another. */
export const pasteRaster = (onto: Raster, piece: Raster, x: number, y: number): void => {
  for (let row = 0; row < piece.height; row++) {
    const from = row * piece.width * 4;
    onto.data.set(piece.data.subarray(from, from + piece.width * 4), ((y + row) * onto.width + x) * 4);
  }
};
