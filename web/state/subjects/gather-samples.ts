import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import { intersectionArea, shorterSide, type Box } from '#shared/domain/boxes';
import { MIN_FACE_SCORE, MIN_SAMPLE_PX } from '#shared/domain/subject';
import type { TrackSample } from '../media-item';

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
export interface SampleGatherer {
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
      .map(({ track_id: trackId, score, bbox: [x1, y1, x2, y2] }) => ({
        ...{ trackId, score },
        box: { x1, y1, x2, y2 } satisfies Box,
      }));
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
