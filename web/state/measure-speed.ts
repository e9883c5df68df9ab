import type { Settings } from './settings';
import type { Anonymiser } from './work';

/** Measured speed of this machine. */
export interface Speed {
  /** Seconds for one image, all steps included. */
  readonly seconds: number;
  readonly megapixelsPerSecond: number;
}

/** Warm-up runs, which are slower because of cold caches and compilers. */
const WARM_UPS = 1;
const RUNS = 3;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Processes a test image several times with the usual steps and returns the median.
 *
 * @param makeImage creates a realistic image
 */
export const measureSpeed = async (
  anonymiser: Anonymiser,
  makeImage: () => Promise<File>,
  settings: Settings,
  signal: AbortSignal,
): Promise<Speed> => {
  const image = await makeImage();
  const durations: number[] = [];
  let pixels = 0;
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const result = await anonymiser.process(image, settings, () => undefined, signal);
    await anonymiser.forget(result.taskId);
    pixels = result.width * result.height;
    if (run >= 0) durations.push(result.durationS);
  }
  const seconds = median(durations);
  return { seconds, megapixelsPerSecond: pixels / 1e6 / seconds };
};
