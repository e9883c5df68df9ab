import type { ObjectClass } from '../../domain/object-class';
import { DEFAULT_THRESHOLDS } from '../../domain/options';

/**
 * Bends a model's raw scores so that its best operating point lies at the API's default threshold of the class.
 *
 * Clients tune thresholds against the API's scale; models come and go, each with a scale of its own.
 *
 * @param operatingPoint raw score 0..1 from the manifest
 */
export const calibrate = (raw: number, operatingPoint: number, objectClass: ObjectClass): number => {
  const middle = DEFAULT_THRESHOLDS[objectClass];
  return raw < operatingPoint
    ? (raw / operatingPoint) * middle
    : middle + ((raw - operatingPoint) / (1 - operatingPoint)) * (1 - middle);
};

/** The raw score that `calibrate` turns into `score`: what a decoder need not look below. */
export const uncalibrate = (score: number, operatingPoint: number, objectClass: ObjectClass): number => {
  const middle = DEFAULT_THRESHOLDS[objectClass];
  return score < middle
    ? (score / middle) * operatingPoint
    : operatingPoint + ((score - middle) / (1 - middle)) * (1 - operatingPoint);
};
