import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import type { ObjectClass } from '#shared/domain/object-class';
import type { FoundObject, SeenSpan } from './media-item';

/** Collects the objects of a video from the metadata of its frames, in chunks, because hours of it fill any memory. */
export interface TrackGatherer {
  /** @param frames with timestamps */
  add(frames: readonly FrameMetadata[]): void;
  /** Each object once, as detected in its best frame. */
  objects(): readonly FoundObject[];
}

type FrameDetection = FrameMetadata['detections'][number];

interface Seen extends SeenSpan {
  readonly best: FrameDetection;
}

const withFrame = (seen: Seen | undefined, found: FrameDetection, atS: number): Seen => {
  const { firstS = atS, frames = 0 } = seen ?? {};
  const isBetter = found.score > (seen?.best.score ?? -1);
  const best = seen && !isBetter ? { best: seen.best, bestS: seen.bestS } : { best: found, bestS: atS };
  return { firstS, lastS: atS, frames: frames + 1, ...best };
};

const foundObject = ([id, { best, ...seen }]: readonly [number, Seen]): FoundObject => {
  const { type_label, score, bbox } = best;
  const [x, y, x2, y2] = bbox;
  return { id, objectClass: type_label as ObjectClass, score, x, y, width: x2 - x, height: y2 - y, seen };
};

export const createTrackGatherer = (): TrackGatherer => {
  const tracks = new Map<number, Seen>();
  return {
    add: (frames) => {
      for (const { id: frame, detections, timestamp = 0 } of frames) {
        for (const found of detections) {
          // Without tracking, each detection counts as an object.
          const track = found.track_id ?? -1 - (frame * 1_000 + found.id);
          tracks.set(track, withFrame(tracks.get(track), found, timestamp));
        }
      }
    },
    objects: () => [...tracks].map(foundObject).sort((a, b) => a.id - b.id),
  };
};
