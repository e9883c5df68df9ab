import { DEFAULT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import { defaultImageOptions } from '#shared/domain/options';
import type { ImageJob, ImageResult } from '#shared/ports/engine';

/** Conditions of one row of the table. */
export interface Case {
  readonly size: readonly [width: number, height: number];
  readonly classes: readonly ObjectClass[];
  /** Number of runs; the median one is reported. */
  readonly runs: number;
}

export const CASES: readonly Case[] = [
  { size: [1280, 720], classes: ['face', 'license-plate'], runs: 5 },
  { size: [1280, 720], classes: DEFAULT_CLASSES, runs: 5 },
  { size: [4000, 3000], classes: DEFAULT_CLASSES, runs: 3 },
  { size: [8000, 4000], classes: DEFAULT_CLASSES, runs: 1 },
  { size: [8000, 6000], classes: DEFAULT_CLASSES, runs: 1 },
];

/** Result of one case on one host. */
export interface Measured {
  readonly backend: string;
  /** Milliseconds of each step in the median run. */
  readonly timings: Readonly<Record<string, number>>;
  readonly totalMs: number;
  /** Peak memory of the process that ran the case; NaN if the system does not report it. */
  readonly peakMiB: number;
}

export const jobOptions = (
  classes: readonly ObjectClass[],
): Omit<ImageJob, 'bytes' | 'header' | 'given'> => ({
  options: defaultImageOptions({ classes }),
  encoding: { format: 'jpeg', quality: 90 },
  masks: [],
});

/** The objects of one image. */
export type Found = ImageResult['report']['detections'];

/** One run on either host. */
export type Run = Pick<Measured, 'timings' | 'totalMs'>;

export const middleOf = (runs: readonly Run[]): Run => {
  const sorted = [...runs].sort((a, b) => a.totalMs - b.totalMs);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was run');
  return middle;
};
