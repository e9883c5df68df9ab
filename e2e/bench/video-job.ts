import { LIMITS } from '#shared/domain/limits';
import { DEFAULT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import type { VideoJob } from '#shared/ports/engine';
import { jobOptions } from './job';
import type { Size } from './video-clip';

/** Conditions of one row of the table. */
export interface VideoCase {
  readonly size: Size;
  readonly classes: readonly ObjectClass[];
}

const SIZES: readonly Size[] = [
  [640, 360],
  [1280, 720],
];
const CLASSES: readonly (readonly ObjectClass[])[] = [['face', 'license-plate'], DEFAULT_CLASSES];

export const VIDEO_CASES: readonly VideoCase[] = SIZES.flatMap((size) =>
  CLASSES.map((classes) => ({ size, classes })),
);

export interface MeasuredVideo {
  readonly backend: string;
  readonly frames: number;
  readonly wallMs: number;
  /** CPU time of all threads of the process; NaN if the host does not report it. */
  readonly cpuMs: number;
  readonly peakMiB: number;
  /** Milliseconds of each step. */
  readonly timings: Readonly<Record<string, number>>;
}

/** @param detectEvery detectors search every Nth frame */
export const videoJob = (classes: readonly ObjectClass[], detectEvery = 1): VideoJob => ({
  options: jobOptions(classes).options,
  ...videoOptions(),
  detectEvery,
  limits: LIMITS,
  framesPerReport: 500,
});
