import { createRandom } from './video/random';

/** 95 % confidence interval of a figure for other images of the same kind. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

const RESAMPLES = 1000;
const SEED = 95;

/**
 * Bootstrap over images: objects of one image are similar, so resampling objects would give too narrow intervals.
 *
 * @see Efron 1979, doi 10.1214/aos/1176344552
 */
export const interval = <T>(images: readonly T[], figure: (drawn: readonly T[]) => number): Interval => {
  const random = createRandom(SEED);
  const figures = Array.from({ length: RESAMPLES }, () => figure(images.map(() => random.pick(images))))
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b);
  const at = (share: number): number => figures[Math.round(share * (figures.length - 1))] ?? Number.NaN;
  return { from: at(0.025), to: at(0.975) };
};
