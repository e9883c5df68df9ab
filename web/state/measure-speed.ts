import type { Settings } from './settings';
import type { Anonymiser } from './work';

/** How fast this machine is. */
export interface Speed {
  /** For one picture, all steps. */
  readonly seconds: number;
  readonly megapixelsPerSecond: number;
}

/** The first runs are slower: caches and compilers are cold. */
const WARM_UPS = 1;
const RUNS = 3;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Processes one picture several times, as any other is processed, and takes the median.
 *
 * @param makePicture of the kind that people have
 */
export const measureSpeed = async (
  anonymiser: Anonymiser,
  makePicture: () => Promise<File>,
  settings: Settings,
  signal: AbortSignal,
): Promise<Speed> => {
  const picture = await makePicture();
  const durations: number[] = [];
  let pixels = 0;
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const result = await anonymiser.process(picture, settings, () => undefined, signal);
    await anonymiser.forget(result.taskId);
    pixels = result.width * result.height;
    if (run >= 0) durations.push(result.durationS);
  }
  const seconds = median(durations);
  return { seconds, megapixelsPerSecond: pixels / 1e6 / seconds };
};
