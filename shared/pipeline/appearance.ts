import { clipBox, growBox, outerPixels, type Box } from './boxes';
import { RGBA, type Raster } from './raster';

/** How an object looks: shares of its pixels by colour, 4 × 4 × 4 bins of RGB, sum 1. */
export type Appearance = Float32Array;

const LEVELS = 4;
const LEVEL_SHIFT = 6;
/** Enough pixels for 64 bins; more would cost time and say nothing new. */
const SAMPLES_PER_SIDE = 24;
/** A box's rim shows what is behind the object. */
const RIM = -0.1;

/**
 * Describes an object by its colours, so that a track can be found again where its boxes do not overlap.
 *
 * Colours survive turning, scaling and motion blur, which a pattern of pixels does not.
 */
export const describeAppearance = (raster: Raster, box: Box): Appearance => {
  const { x1, y1, x2, y2 } = outerPixels(clipBox(growBox(box, RIM), raster.width, raster.height));
  const histogram = new Float32Array(LEVELS ** 3);
  const stepX = Math.max(1, (x2 - x1) / SAMPLES_PER_SIDE);
  const stepY = Math.max(1, (y2 - y1) / SAMPLES_PER_SIDE);
  let count = 0;
  for (let y = y1; y < y2; y += stepY) {
    for (let x = x1; x < x2; x += stepX) {
      const at = (Math.floor(y) * raster.width + Math.floor(x)) * RGBA;
      const level = (channel: number): number => (raster.data[at + channel] as number) >> LEVEL_SHIFT;
      const bin = (level(0) * LEVELS + level(1)) * LEVELS + level(2);
      histogram[bin] = (histogram[bin] as number) + 1;
      count++;
    }
  }
  return count === 0 ? histogram : histogram.map((value) => value / count);
};

/** Bhattacharyya coefficient of two appearances: 0 nothing in common, 1 the same. */
export const likeness = (a: Appearance, b: Appearance): number =>
  a.reduce((sum, value, bin) => sum + Math.sqrt(value * (b[bin] as number)), 0);
