import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { FoundObject, SeenSpan, TrackCourse, TrackMoment } from './media-item';

/** Collects the objects of a video from the metadata of its frames, in chunks, because hours of it fill any memory. */
export interface TrackGatherer {
  /** @param frames with timestamps */
  add(frames: readonly FrameMetadata[]): void;
  /** Each object once, as detected in its best frame. */
  objects(): readonly FoundObject[];
}

type FrameDetection = FrameMetadata['detections'][number];

interface Course extends TrackCourse {
  readonly lastFrame: number;
  readonly scores: number;
}

interface Seen extends SeenSpan {
  readonly best: FrameDetection;
  readonly course: Course;
}

/** Longer lists of gaps show a broken track as well. */
const MAX_GAPS = 20;

/** A frame, and the time of the one before it. */
interface FrameTime {
  readonly frame: number;
  readonly atS: number;
  readonly beforeS: number | undefined;
}

const momentOf = ({ score, bbox: [x1, y1, x2, y2] }: FrameDetection, atS: number): TrackMoment => ({
  ...{ atS, score },
  box: { x1, y1, x2, y2 },
});

const courseWith = (
  before: Course | undefined,
  found: FrameDetection,
  { frame, atS, beforeS }: FrameTime,
): Course => {
  const moment = momentOf(found, atS);
  if (!before) {
    const start = beforeS === undefined ? {} : { beforeS };
    return {
      ...{ first: moment, last: moment, ...start, meanScore: found.score, gaps: [] },
      ...{ lastFrame: frame, scores: 1 },
    };
  }
  const { last, afterS: fromS, lastFrame, gaps, ...course } = before;
  const isGap = fromS !== undefined && frame > lastFrame + 1 && gaps.length < MAX_GAPS;
  const scores = before.scores + 1;
  return {
    ...{ ...course, last: moment, lastFrame: frame, scores },
    meanScore: before.meanScore + (found.score - before.meanScore) / scores,
    gaps: isGap ? [...gaps, { before: last, fromS, after: moment }] : gaps,
  };
};

const withFrame = (seen: Seen | undefined, found: FrameDetection, time: FrameTime): Seen => {
  const { atS } = time;
  const { firstS = atS, frames = 0 } = seen ?? {};
  const isBetter = found.score > (seen?.best.score ?? -1);
  const best = seen && !isBetter ? { best: seen.best, bestS: seen.bestS } : { best: found, bestS: atS };
  return { firstS, lastS: atS, frames: frames + 1, ...best, course: courseWith(seen?.course, found, time) };
};

const foundObject = ([id, { best, course, ...seen }]: readonly [number, Seen]): FoundObject => {
  const { type_label, score, bbox } = best;
  const [x, y, x2, y2] = bbox;
  const { lastFrame: _f, scores: _s, ...kept } = course;
  const of = { id, objectClass: type_label as ObjectClass, score };
  return { ...of, x, y, width: x2 - x, height: y2 - y, seen: { ...seen, course: kept } };
};

export const createTrackGatherer = (): TrackGatherer => {
  const tracks = new Map<number, Seen>();
  let current: ReadonlySet<number> = new Set();
  let beforeS: number | undefined;
  /** Notes this time in tracks that have ended with the frame before. */
  const end = (ended: Iterable<number>, afterS: number): void => {
    for (const track of ended) {
      const seen = tracks.get(track);
      if (seen) tracks.set(track, { ...seen, course: { ...seen.course, afterS } });
    }
  };
  return {
    add: (frames) => {
      for (const { id: frame, detections, timestamp: atS = 0 } of frames) {
        const shown = new Set<number>();
        for (const found of detections) {
          // Without tracking, each detection counts as an object.
          const track = found.track_id ?? -1 - (frame * 1_000 + found.id);
          tracks.set(track, withFrame(tracks.get(track), found, { frame, atS, beforeS }));
          shown.add(track);
        }
        end(
          [...current].filter((track) => !shown.has(track)),
          atS,
        );
        [current, beforeS] = [shown, atS];
      }
    },
    objects: () => [...tracks].map(foundObject).sort((a, b) => a.id - b.id),
  };
};
