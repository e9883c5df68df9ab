import { OBJECT_CLASSES, type ObjectClass } from '#shared/domain/object-class';
import { defaultImageOptions } from '#shared/domain/options';
import { LIMITS } from '#shared/domain/limits';
import type { ImageJob } from '#shared/ports/engine';

/** What one line of the table is measured on. */
export interface Case {
  readonly size: readonly [width: number, height: number];
  readonly classes: readonly ObjectClass[];
  /** The middle one counts. */
  readonly runs: number;
}

export const CASES: readonly Case[] = [
  { size: [1280, 720], classes: ['face', 'license-plate'], runs: 5 },
  { size: [1280, 720], classes: OBJECT_CLASSES, runs: 5 },
  { size: [4000, 3000], classes: OBJECT_CLASSES, runs: 3 },
  { size: [8000, 4000], classes: OBJECT_CLASSES, runs: 1 },
  { size: [8000, 6000], classes: OBJECT_CLASSES, runs: 1 },
];

/** What came out, by host. */
export interface Measured {
  readonly backend: string;
  /** Milliseconds of each step, of the middle run. */
  readonly timings: Readonly<Record<string, number>>;
  readonly totalMs: number;
  /** Of the process that ran it all; NaN where the system does not tell. */
  readonly peakMiB: number;
}

export const jobOptions = (classes: readonly ObjectClass[]): Omit<ImageJob, 'bytes'> => ({
  options: defaultImageOptions({ classes }),
  limits: LIMITS,
  encodings: { jpeg: { format: 'jpeg', quality: 90 }, png: { format: 'png', compressLevel: 5 } },
  masks: [],
});

/** One run, as it comes back from either host. */
export type Run = Pick<Measured, 'timings' | 'totalMs'>;

export const middleOf = (runs: readonly Run[]): Run => {
  const sorted = [...runs].sort((a, b) => a.totalMs - b.totalMs);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was run');
  return middle;
};
