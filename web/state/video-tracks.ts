import type { FrameMetadata } from '#shared/api/schemas-results';
import type { ObjectClass } from '#shared/pipeline/object-class';
import type { FoundObject } from './pictures';

/** Gathers the objects of a video from the metadata of its frames, piece by piece: hours of it fill any memory. */
export interface TrackGatherer {
  add(frames: readonly FrameMetadata[]): void;
  /** Each object once, as it was where it was seen best. */
  objects(): readonly FoundObject[];
}

export const createTrackGatherer = (): TrackGatherer => {
  const best = new Map<number, FoundObject>();
  return {
    add: (frames) => {
      for (const { id: frame, detections } of frames) {
        for (const { track_id, id, type_label, score, bbox } of detections) {
          // Without tracking each detection stands for itself.
          const track = track_id ?? -1 - (frame * 1_000 + id);
          if ((best.get(track)?.score ?? -1) >= score) continue;
          const [x1, y1, x2, y2] = bbox;
          const objectClass = type_label as ObjectClass;
          best.set(track, { id: track, objectClass, score, x: x1, y: y1, width: x2 - x1, height: y2 - y1 });
        }
      }
    },
    objects: () => [...best.values()].sort((a, b) => a.id - b.id),
  };
};
