import { thresholdOf, type ModelEntry } from '../../domain/manifest';
import { MIN_SCORE } from './fusion-limits';
import type { TileDetection } from './merge';
import type { ObjectClass } from '../../catalogue/classes';
import { DEFAULT_THRESHOLDS } from '../../domain/options';

/**
 * Calibrates a raw score: maps the model's best operating point to the API's default threshold of the class.
 *
 * Clients choose thresholds on the API's scale, but each model has a scale of its own.
 *
 * @param operatingPoint raw score at the best operating point, 0..1, from the manifest
 */
export const calibrate = (raw: number, operatingPoint: number, objectClass: ObjectClass): number => {
  const middle = DEFAULT_THRESHOLDS[objectClass];
  return raw < operatingPoint
    ? (raw / operatingPoint) * middle
    : middle + ((raw - operatingPoint) / (1 - operatingPoint)) * (1 - middle);
};

/** Inverse of `calibrate`: the raw score for a calibrated one, such as the minimum score for a decoder. */
export const uncalibrate = (score: number, operatingPoint: number, objectClass: ObjectClass): number => {
  const middle = DEFAULT_THRESHOLDS[objectClass];
  return score < middle
    ? (score / middle) * operatingPoint
    : operatingPoint + ((score - middle) / (1 - middle)) * (1 - operatingPoint);
};

/** Minimum score for each class; a class without one is not wanted. */
export type WantedScores = Readonly<Partial<Record<ObjectClass, number>>>;

/** Minimum raw scores for a detector, by class. @param wanted calibrated scores */
export const rawMinimum = (entry: ModelEntry, wanted: WantedScores): WantedScores =>
  Object.fromEntries(
    entry.classes.flatMap((objectClass) => {
      const score = wanted[objectClass];
      if (score === undefined) return [];
      const floor = Math.max(score, MIN_SCORE);
      return [[objectClass, uncalibrate(floor, thresholdOf(entry, objectClass), objectClass)]];
    }),
  );

/** The same detection with a calibrated score. */
export const calibrateDetection = (raw: TileDetection, entry: ModelEntry): TileDetection => {
  const { objectClass, score } = raw;
  return { ...raw, score: calibrate(score, thresholdOf(entry, objectClass), objectClass) };
};
