import { toBbox, type Bbox } from '#shared/domain/boxes';
import type { NumberedDetection } from '#shared/domain/edits/edits';
import { thresholdIn, type ImageOptions } from '#shared/domain/options';
import { isDetected, US_PER_SECOND, type FrameReport } from '#shared/domain/plan';
import { uncertaintyOf } from '#shared/domain/uncertain';
import type { ObjectClass } from '#shared/catalogue/classes';

/** An object that a person should check, because its score is near the threshold of its class. */
export interface UncertainObject {
  readonly objectClass: ObjectClass;
  /** 0..1; of a track, the mean of its scores. */
  readonly score: number;
  /** In px of the upright image or frame; of a track, where it begins. */
  readonly bbox: Bbox;
  /** By which edits refer to it; absent for a detection without tracking. */
  readonly id?: number;
  /** Time of the frame in a video, in seconds. */
  readonly atS?: number;
}

/** The uncertain objects of a file. */
export interface UncertainObjects {
  readonly count: number;
  /** The first ones. */
  readonly listed: readonly UncertainObject[];
}

/** What decides which objects are uncertain. */
interface Checked {
  readonly options: Pick<ImageOptions, 'classes' | 'thresholds'>;
  /** Numbers of objects or tracks that edits name: a person has decided about them. */
  readonly decided: readonly number[];
}

/** A video without tracking may have one in each frame. */
const MAX_LISTED = 100;

const summed = (objects: readonly UncertainObject[]): UncertainObjects => ({
  count: objects.length,
  listed: objects.slice(0, MAX_LISTED),
});

/** @param found objects of an image, also candidates below the threshold: these are visible in the result */
export const uncertainInImage = (
  found: readonly NumberedDetection[],
  { options: { classes, thresholds }, decided }: Checked,
): UncertainObjects =>
  summed(
    found.flatMap(({ id, detection: { objectClass, score, box } }) => {
      const isWanted = classes.includes(objectClass) && !decided.includes(id);
      if (!isWanted || uncertaintyOf(score - thresholdIn(thresholds, objectClass)) === 0) return [];
      return [{ objectClass, score, bbox: toBbox(box), id }];
    }),
  );

/** Collects the uncertain objects of a video, frame by frame, because hours of them fill any memory. */
export interface UncertainTally {
  add(frames: readonly FrameReport[]): void;
  objects(): UncertainObjects;
}

interface TrackScores {
  readonly first: UncertainObject;
  sum: number;
  frames: number;
}

/** Videos have no candidates: all detections are above their thresholds. A track counts once, by its mean score. */
export const createUncertainTally = ({ options: { thresholds }, decided }: Checked): UncertainTally => {
  const tracks = new Map<number, TrackScores>();
  const untracked: UncertainObject[] = [];
  let untrackedCount = 0;
  const isUncertain = ({ objectClass, score }: UncertainObject): boolean =>
    uncertaintyOf(Math.max(0, score - thresholdIn(thresholds, objectClass))) > 0;
  const addUntracked = (object: UncertainObject): void => {
    if (!isUncertain(object)) return;
    untrackedCount += 1;
    if (untracked.length < MAX_LISTED) untracked.push(object);
  };
  const addTo = (trackId: number, object: UncertainObject): void => {
    const track = tracks.get(trackId) ?? { first: { ...object, id: trackId }, sum: 0, frames: 0 };
    tracks.set(trackId, { ...track, sum: track.sum + object.score, frames: track.frames + 1 });
  };
  return {
    add: (frames) => {
      for (const { detections, timestampUs } of frames) {
        for (const { objectClass, score, box, trackId } of detections.filter(isDetected)) {
          const object = { objectClass, score, bbox: toBbox(box), atS: timestampUs / US_PER_SECOND };
          if (trackId === undefined) addUntracked(object);
          else addTo(trackId, object);
        }
      }
    },
    objects: () => {
      const means = [...tracks.values()].map(({ first, sum, frames }) => ({ ...first, score: sum / frames }));
      const { count, listed } = summed(means.filter((one) => !decided.includes(one.id!) && isUncertain(one)));
      return { count: count + untrackedCount, listed: [...listed, ...untracked].slice(0, MAX_LISTED) };
    },
  };
};
