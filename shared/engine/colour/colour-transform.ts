import { levelOf, type Matrix3 } from './srgb';
import type { Curve } from './icc-lookup';

/** Pixels of four bytes. */
export type PixelBytes = Uint8Array | Uint8ClampedArray;

/** Rewrites the first three bytes of pixels of four bytes as sRGB; what it reads is the device's levels. */
export type ColourTransform = (pixels: PixelBytes) => void;

const LEVELS = 256;
const PIXEL_BYTES = 4;
/** Of the largest level: what rounding in a file may make of a colour that is meant to stay. */
const MAX_DEVIATION = 1;

const isUnchanged = (transform: ColourTransform): boolean => {
  const probe = new Uint8Array(LEVELS * PIXEL_BYTES * 2);
  for (let level = 0; level < LEVELS; level += 1) {
    probe.set([level, level, level, 255, level, LEVELS - 1 - level, (level * 7) % LEVELS, 255], level * 8);
  }
  const before = probe.slice();
  transform(probe);
  return probe.every((value, at) => Math.abs(value - (before[at] ?? 0)) <= MAX_DEVIATION);
};

/**
 * A transform by curves and a matrix: what profiles of cameras and screens are.
 *
 * @param toLinear from a level 0..1 to light 0..1, for red, green and blue
 * @param matrix from the device's light to sRGB's
 * @returns undefined where it would change nothing
 */
export const matrixTransform = (
  toLinear: readonly [Curve, Curve, Curve],
  matrix: Matrix3,
): ColourTransform | undefined => {
  const [red, green, blue] = toLinear.map((curve) =>
    Float32Array.from({ length: LEVELS }, (_, level) => curve(level / (LEVELS - 1))),
  ) as [Float32Array, Float32Array, Float32Array];
  const [a, b, c, d, e, f, g, h, i] = matrix;
  const transform: ColourTransform = (pixels) => {
    for (let at = 0; at < pixels.length; at += PIXEL_BYTES) {
      const x = red[pixels[at] as number] as number;
      const y = green[pixels[at + 1] as number] as number;
      const z = blue[pixels[at + 2] as number] as number;
      pixels[at] = levelOf(a * x + b * y + c * z);
      pixels[at + 1] = levelOf(d * x + e * y + f * z);
      pixels[at + 2] = levelOf(g * x + h * y + i * z);
    }
  };
  return isUnchanged(transform) ? undefined : transform;
};

/** Composes pixels onto white, and makes them opaque. */
export const composeOntoWhite = (pixels: PixelBytes): void => {
  for (let at = 0; at < pixels.length; at += PIXEL_BYTES) {
    const alpha = pixels[at + 3] as number;
    if (alpha === 255) continue;
    const white = 255 * (255 - alpha);
    for (let channel = at; channel < at + 3; channel += 1) {
      pixels[channel] = Math.round(((pixels[channel] as number) * alpha + white) / 255);
    }
    pixels[at + 3] = 255;
  }
};
