import { thresholdOf, type ModelEntry } from '../../domain/manifest';
import { calibrate, uncalibrate } from '../inference/calibration';
import { MIN_SCORE } from './fusion-limits';
import type { Found } from './merge';
import type { ObjectClass } from '../../catalogue/classes';

/** Minimum score for each class; a class without one is not wanted. */
export type WantedScores = Readonly<Partial<Record<ObjectClass, number>>>;

/** The raw score of a class's operating point. @param strictness share of the distance to 1 by which it is raised */
export const operatingPoint = (entry: ModelEntry, objectClass: ObjectClass, strictness: number): number => {
  const measured = thresholdOf(entry, objectClass);
  return measured + strictness * (1 - measured);
};

/** Minimum raw scores for a detector, by class. @param wanted calibrated scores */
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
