import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import type { FoundObject, SeenSpan, TrackCourse, TrackMoment, TrackSample } from './media-item';
import { intersectionArea, shorterSide, toBbox, toBox, wholeBox } from '#shared/domain/boxes';
import { foundObject } from './result-files';
import { MIN_FACE_SCORE, MIN_SAMPLE_PX } from '#shared/domain/subject';

/** Maximum number of samples of one track: a person is recognised far more often by five photos than by one. */
const MAX_SAMPLES = 5;
/** Minimum period of which one frame is a sample, in seconds: neighbouring frames show the same. */
const PERIOD_S = 0.2;
/** Side of a face in px from which on more pixels add no detail: the size of the recogniser's input. */
const ENOUGH_PX = 224;

const quality = ({ score, box }: TrackSample): number => score * Math.min(shorterSide(box), ENOUGH_PX);

const areInOnePeriod = (a: TrackSample, b: TrackSample): boolean =>
  Math.floor(a.atS / PERIOD_S) === Math.floor(b.atS / PERIOD_S);

/** Index of the worse one of the two samples that are nearest to each other in time. */
const worseOfNearest = (samples: readonly TrackSample[]): number => {
  const gaps = samples.slice(1).map(({ atS }, i) => atS - (samples[i]?.atS ?? 0));
  const first = gaps.indexOf(Math.min(...gaps));
  const [a, b] = [samples[first], samples[first + 1]];
  return a && b && quality(a) > quality(b) ? first + 1 : first;
};

/** @param samples by time @param next later than all of them */
const withSample = (samples: readonly TrackSample[], next: TrackSample): readonly TrackSample[] => {
  const last = samples.at(-1);
  if (last && areInOnePeriod(last, next)) {
    return quality(next) > quality(last) ? [...samples.slice(0, -1), next] : samples;
  }
  const more = [...samples, next];
  return more.length > MAX_SAMPLES ? more.toSpliced(worseOfNearest(more), 1) : more;
};

/** Chooses frames for sample photos of each face: large, certain, alone, and spread over the time of its track. */
interface SampleGatherer {
  /** @param frames with timestamps, in order */
  add(frames: readonly FrameMetadata[]): void;
  /** By time; undefined if no frame shows the face well enough. */
  samplesOf(trackId: number): readonly TrackSample[] | undefined;
}

export const createSampleGatherer = (): SampleGatherer => {
  const byTrack = new Map<number, readonly TrackSample[]>();
  const addFrame = ({ detections, timestamp: atS = 0 }: FrameMetadata): void => {
    const faces = detections
      .filter(({ type_label: name }) => name === 'face')
      .map(({ track_id: trackId, score, bbox }) => ({ trackId, score, box: toBox(bbox) }));
    for (const [index, { trackId, score, box }] of faces.entries()) {
      const others = faces.filter((_, i) => i !== index).map((face) => face.box);
      const isUsable =
        score >= MIN_FACE_SCORE &&
        shorterSide(box) >= MIN_SAMPLE_PX &&
        others.every((other) => intersectionArea(box, other) === 0);
      if (trackId === undefined || !isUsable) continue;
      byTrack.set(trackId, withSample(byTrack.get(trackId) ?? [], { atS, score, box, others }));
    }
  };
  return {
    add: (frames) => frames.forEach(addFrame),
    samplesOf: (trackId) => byTrack.get(trackId),
  };
};

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

const momentOf = ({ score, bbox }: FrameDetection, atS: number): TrackMoment => ({
  ...{ atS, score, box: toBox(bbox) },
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

const trackObject = ([id, { best, course, ...seen }]: readonly [number, Seen]): FoundObject => {
  const { lastFrame: _f, scores: _s, ...kept } = course;
  return { ...foundObject(best, id), seen: { ...seen, course: kept } };
};

/** The objects of a frame. Where a panorama's seam shows two parts of one, it is one. */
const objectsIn = ({ id: frame, detections }: FrameMetadata): ReadonlyMap<number, FrameDetection> => {
  const found = new Map<number, FrameDetection>();
  for (const one of detections) {
    // Without tracking, each detection counts as an object.
    const track = one.track_id ?? -1 - (frame * 1_000 + one.id);
    const part = found.get(track);
    const bbox = part && toBbox(wholeBox(toBox(part.bbox), toBox(one.bbox)));
    found.set(track, bbox ? { ...one, bbox } : one);
  }
  return found;
};

export const createTrackGatherer = (): TrackGatherer => {
  const tracks = new Map<number, Seen>();
  let current: Iterable<number> = [];
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
      for (const metadata of frames) {
        const { id: frame, timestamp: atS = 0 } = metadata;
        const shown = objectsIn(metadata);
        for (const [track, found] of shown) {
          tracks.set(track, withFrame(tracks.get(track), found, { frame, atS, beforeS }));
        }
        end(
          [...current].filter((track) => !shown.has(track)),
          atS,
        );
        [current, beforeS] = [[...shown.keys()], atS];
      }
    },
    objects: () => [...tracks].map(trackObject).sort((a, b) => a.id - b.id),
  };
};
