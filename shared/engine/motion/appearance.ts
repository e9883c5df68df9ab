import { clipBox, growBox, outerPixels, type Box } from '../../domain/boxes';
import { RGBA, type Raster } from '../../domain/raster';

/** Colours of an object: shares of its pixels by colour, 4 × 4 × 4 bins of RGB, sum 1. */
export type Appearance = Float32Array;

const LEVELS = 4;
const LEVEL_SHIFT = 6;
/** Samples for 64 bins; more would take time without a better result. */
const SAMPLES_PER_SIDE = 16;
/** Share of the box left out on each side: the rim shows the background. */
const RIM = -0.1;

/** Whole pixels evenly chosen from a range, or all where there are fewer. */
const samples = (from: number, to: number): Int32Array => {
  const count = Math.max(0, Math.min(SAMPLES_PER_SIDE, to - from));
  return Int32Array.from({ length: count }, (_, i) => from + Math.floor((i * (to - from)) / count));
};

/**
 * Describes an object by its colours, so that a track continues where its boxes do not overlap.
 *
 * Rotation, scaling and motion blur change a template, but hardly a colour histogram.
 */
export const describeAppearance = ({ data, width, height }: Raster, box: Box): Appearance => {
  const { x1, y1, x2, y2 } = outerPixels(clipBox(growBox(box, RIM), width, height));
  const histogram = new Float32Array(LEVELS ** 3);
  const columns = samples(x1, x2);
  const rows = samples(y1, y2);
  const share = 1 / (columns.length * rows.length);
  for (const y of rows) {
    for (const x of columns) {
      const at = (y * width + x) * RGBA;
      const red = (data[at] as number) >> LEVEL_SHIFT;
      const green = (data[at + 1] as number) >> LEVEL_SHIFT;
      const blue = (data[at + 2] as number) >> LEVEL_SHIFT;
      const bin = (red * LEVELS + green) * LEVELS + blue;
      histogram[bin] = (histogram[bin] as number) + share;
    }
  }
  return histogram;
};

/** Bhattacharyya coefficient of two appearances: 0 without common colours, 1 if equal. */
export const appearanceSimilarity = (a: Appearance, b: Appearance): number =>
  a.reduce((sum, value, bin) => sum + Math.sqrt(value * (b[bin] as number)), 0);
