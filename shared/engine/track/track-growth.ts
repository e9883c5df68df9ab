import { iou, type Box } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import { correctMotion, raiseVelocityVariance, motionBox, predictMotion, startMotion } from './kalman';
import { isPart, type TrackMatch, type Trackable } from './track-association';
import { TRACKING, SIZE_MEMORY } from './track-limits';
import {
  type Moment,
  type Observation,
  type Track,
  isConfirmed,
  isWithin,
  secondsBetween,
  lastHit,
  firstHit,
} from './track-model';
import { backwardDetection } from './track-path';

/** The observations up to the last settled frame that later frames may need. */
const neededHits = ({ observations }: Track, settled: Moment): Observation[] => {
  const lastSettled = observations.findLastIndex(({ moment }) => moment.position <= settled.position);
  const remembered = observations.findIndex(
    ({ moment }) => secondsBetween(moment, settled) <= SIZE_MEMORY.seconds,
  );
  const first = Math.min(lastSettled - 1, remembered < 0 ? observations.length : remembered);
  return first > 0 ? observations.slice(first) : observations;
};

const isOver = ({ scene, observations }: Track, settled: Moment): boolean => {
  const { moment } = observations.at(-1) as Observation;
  if (moment.position > settled.position) return false;
  return scene !== settled.scene || !isWithin(moment, settled, TRACKING.lostSeconds);
};

/**
 * Removes observations and tracks that no later frame needs. Of the settled hits only the last two and those that
 * determine the size are kept.
 *
 * @param settled the last frame that was returned
 * @returns the tracks that remain
 */
export const pruneTracks = (tracks: readonly Track[], settled: Moment): Track[] => {
  for (const track of tracks) track.observations = neededHits(track, settled);
  return tracks.filter((track) => !isOver(track, settled));
};

const withoutAppearance = ({ appearance: _appearance, ...detection }: Trackable): Detection => detection;

const countConfident = ({ score }: Detection, threshold: number): number => (score >= threshold ? 1 : 0);

/** Starts a track with one hit, confident or weak. */
export const startTrack = (
  found: Trackable,
  moment: Moment,
  { threshold, largePx }: Pick<Track, 'threshold' | 'largePx'>,
): Track => ({
  id: undefined,
  threshold,
  largePx,
  confidentHits: countConfident(found, threshold),
  scene: moment.scene,
  observations: [{ moment, detection: withoutAppearance(found), motion: startMotion(found.box) }],
  hits: 1,
  bestScore: found.score,
  appearance: found.appearance,
});

/** Adds a hit to a track. */
export const continueTrack = ({ track, detection, isJump }: TrackMatch, moment: Moment): void => {
  const last = lastHit(track);
  const known = isJump ? raiseVelocityVariance(last.motion) : last.motion;
  const moved = predictMotion(known, secondsBetween(last.moment, moment));
  const motion = correctMotion(moved, detection.box);
  track.observations.push({ moment, detection: withoutAppearance(detection), motion });
  track.hits++;
  track.confidentHits += countConfident(detection, track.threshold);
  track.bestScore = Math.max(track.bestScore, detection.score);
  track.appearance = detection.appearance ?? track.appearance;
};

/**
 * Maximum number of confident hits of a young track: each of these hits improves the estimate of its earlier motion.
 */
const YOUNG_HITS = 3;

const isYoung = ({ confidentHits }: Track): boolean => confidentHits <= YOUNG_HITS;

/** The hits of a tentative track before another track's first hit, if both may be the same object by their motion. */
const earlierHits = (tentative: Track, track: Track, size: Size): readonly Observation[] => {
  const first = firstHit(track);
  if (tentative.scene !== track.scene) return [];
  const earlier = tentative.observations.filter(({ moment }) => moment.position < first.moment.position);
  const last = earlier.at(-1);
  if (!last || !isWithin(last.moment, first.moment, TRACKING.coastBackSeconds)) return [];
  const { box, objectClass } = last.detection;
  const forward = motionBox(predictMotion(last.motion, secondsBetween(last.moment, first.moment)));
  const backward = backwardDetection(track, 0, last.moment, size).box;
  const isOne = (a: Box, b: Box): boolean => iou(a, b) >= TRACKING.iou || isPart(a, b, objectClass);
  return isOne(box, first.detection.box) || isOne(box, backward) || isOne(forward, first.detection.box)
    ? earlier
    : [];
};

/** @returns the tentative tracks that are left */
const takeEarlier = (track: Track, tentative: readonly Track[], size: Size): readonly Track[] => {
  const candidates = tentative
    .map((other) => ({ other, hits: earlierHits(other, track, size) }))
    .filter(({ hits }) => hits.length > 0)
    .sort(
      (a, b) =>
        (b.hits.at(-1) as Observation).moment.position - (a.hits.at(-1) as Observation).moment.position,
    );
  const latest = candidates[0];
  if (!latest) return tentative;
  track.observations.unshift(...latest.hits);
  track.hits += latest.hits.length;
  return takeEarlier(
    track,
    tentative.filter((other) => other !== latest.other),
    size,
  );
};

/**
 * Adds the hits of tentative tracks to young confirmed tracks that begin where these end.
 *
 * An object that comes into view has weak hits first, which alone are not hidden.
 *
 * @returns the tracks that are left
 */
export const joinEarlier = (tracks: readonly Track[], size: Size): Track[] => {
  const confirmed = tracks.filter(isConfirmed);
  const tentative = confirmed
    .filter(isYoung)
    .reduce(
      (left, track) => takeEarlier(track, left, size),
      tracks.filter((track) => !isConfirmed(track)) as readonly Track[],
    );
  return [...confirmed, ...tentative];
};
