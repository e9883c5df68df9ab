import { boxHeight, boxWidth } from '../../domain/boxes';
import { TRACKING, TRUST } from './track-limits';
import { isWithin, type Moment, type Track } from './track-model';

/** Longer side where the track is largest, in px. */
const largestSide = ({ observations }: Track): number =>
  observations.reduce((max, { detection: { box } }) => Math.max(max, boxWidth(box), boxHeight(box)), 0);

const isTrusted = ({ bestScore, confidentHits, threshold }: Track): boolean =>
  bestScore >= threshold + TRUST.margin || confidentHits >= TRUST.confidentHits;

/**
 * Whether a track may be hidden in a frame.
 *
 * A true large object has confident hits in most frames. A large track without them is a texture on a wall or a table:
 * it is hidden only near its confident hits. A small object is hidden wherever it may be.
 */
export const isCredible = (track: Track, at: Moment): boolean =>
  isTrusted(track) ||
  largestSide(track) <= TRUST.largePx ||
  track.observations.some(
    ({ detection, moment }) => detection.score >= track.threshold && isWithin(moment, at, TRUST.seconds),
  );

/**
 * The share of the maximum time for which a track coasts beyond its hits.
 *
 * Noise has one or two weak hits. A large object is seldom lost, and coasting a false one hides much.
 */
export const coastingShare = (track: Track): number => {
  const side = largestSide(track);
  if (side > TRUST.largePx) {
    return Math.min(Math.max(TRUST.share, TRUST.largePx / side), TRUST.sharePerHit * track.confidentHits);
  }
  const isTentative = track.hits <= TRUST.hits && track.bestScore < TRACKING.highScore;
  return isTentative ? TRUST.share : 1;
};
