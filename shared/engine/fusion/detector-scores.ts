import { thresholdOf, type ModelEntry } from '../../domain/manifest';
import { calibrate, uncalibrate } from '../inference/calibration';
import type { Found } from './merge';
import type { ObjectClass } from '../../domain/object-class';

/** Lowest score wanted per class; a class that is not named is not looked for. */
export type WantedScores = Readonly<Partial<Record<ObjectClass, number>>>;

/** Below this a score says nothing, however low a threshold is set; it also bounds the number of candidates. */
const MIN_SCORE = 0.05;

/** @param strictness share of the way to 1 that it is moved */
export const operatingPoint = (entry: ModelEntry, objectClass: ObjectClass, strictness: number): number => {
  const measured = thresholdOf(entry, objectClass);
  return measured + strictness * (1 - measured);
};

/** The raw scores, by class, below which a detector need not report. @param wanted calibrated scores */
export const rawMinimum = (entry: ModelEntry, wanted: WantedScores, strictness: number): WantedScores =>
  Object.fromEntries(
    entry.classes.flatMap((objectClass) => {
      const score = wanted[objectClass];
      if (score === undefined) return [];
      const floor = Math.max(score, MIN_SCORE);
      return [[objectClass, uncalibrate(floor, operatingPoint(entry, objectClass, strictness), objectClass)]];
    }),
  );

/** The same detection with a calibrated score. */
export const calibrateFound = (raw: Found, entry: ModelEntry, strictness: number): Found => {
  const { objectClass, score } = raw;
  return {
    ...raw,
    score: calibrate(score, operatingPoint(entry, objectClass, strictness), objectClass),
  };
};
