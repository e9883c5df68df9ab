import type { FramePlan, TimeRange, FrameReport, ReportedFrameDetection } from '../../domain/plan';
import { iou } from '../../domain/boxes';
import { uniteFrames, withIndex, withTrackIds, type AnalysedFrame } from './join-frames';
import { SEGMENT_LIMITS, SAME_OBJECT_IOU, type Segment } from './plan-segments';

/** The two reports of one frame that both sides have analysed. */
interface SharedFrame {
  readonly before: FrameReport;
  readonly after: FrameReport;
}

interface Match {
  readonly before: number;
  readonly after: number;
  frames: number;
}

const findSame = (
  { objectClass, box }: ReportedFrameDetection,
  { detections }: FrameReport,
): ReportedFrameDetection | undefined => {
  const [best] = detections
    .filter((one) => one.objectClass === objectClass && one.trackId !== undefined)
    .map((one) => ({ one, overlap: iou(one.box, box) }))
    .filter(({ overlap }) => overlap >= SAME_OBJECT_IOU)
    .sort((a, b) => b.overlap - a.overlap);
  return best?.one;
};

const countMatches = (frames: readonly SharedFrame[]): Match[] => {
  const matches = new Map<string, Match>();
  for (const { before, after } of frames) {
    for (const detection of after.detections) {
      const same = findSame(detection, before);
      if (same?.trackId === undefined || detection.trackId === undefined) continue;
      const key = `${same.trackId} ${detection.trackId}`;
      const match = matches.get(key) ?? { before: same.trackId, after: detection.trackId, frames: 0 };
      match.frames += 1;
      matches.set(key, match);
    }
  }
  return [...matches.values()];
};

/**
 * Finds the tracks that two sides have in common: those that overlap in the most frames first, each only once.
 *
 * @returns ids of the side before, by ids of the side after; tracks without a counterpart are missing
 */
const matchTracks = (frames: readonly SharedFrame[]): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const byFrames = countMatches(frames).sort(
    (a, b) => b.frames - a.frames || a.before - b.before || a.after - b.after,
  );
  for (const { before, after } of byFrames) {
    if (found.has(after) || taken.has(before)) continue;
    found.set(after, before);
    taken.add(before);
  }
  return found;
};

/** The result of one segment: its frames in order, both lists of the same frames. */
export interface SegmentFrames {
  readonly reports: readonly FrameReport[];
  readonly plans: readonly FramePlan[];
}

/** The segments do not fit together: the video must be processed as a whole. */
export class SegmentsDiffer extends Error {
  override readonly name = 'SegmentsDiffer';
}

/** A segment with its frames by time, and with track ids of the whole video. */
interface Side {
  readonly segment: Segment;
  readonly frames: ReadonlyMap<number, AnalysedFrame>;
}

const isIn = (timestampUs: number, { fromUs, untilUs }: TimeRange): boolean =>
  timestampUs >= fromUs && timestampUs < untilUs;

const timesIn = ({ frames }: Side, ranges: readonly TimeRange[]): readonly number[] =>
  [...frames.keys()].filter((time) => ranges.every((range) => isIn(time, range)));

/** @throws SegmentsDiffer where cores leave a gap, overlap or exceed what was analysed */
const checkOrder = (segments: readonly Segment[]): void => {
  if (segments.length === 0) throw new SegmentsDiffer('there are no segments');
  let untilUs = 0;
  for (const { core, analysed } of segments) {
    if (core.fromUs !== untilUs || core.untilUs <= core.fromUs) {
      throw new SegmentsDiffer('the segments do not follow each other');
    }
    if (analysed.fromUs > core.fromUs || analysed.untilUs < core.untilUs) {
      throw new SegmentsDiffer('a segment was not analysed completely');
    }
    ({ untilUs } = core);
  }
};

/** @throws SegmentsDiffer where frames have no plan, are not in order or do not belong to the segment */
const sideOf = (segment: Segment, { reports, plans }: SegmentFrames): Side => {
  if (reports.length !== plans.length) throw new SegmentsDiffer('a segment has frames without a plan');
  const frames = new Map<number, AnalysedFrame>();
  let last = -Infinity;
  for (const [index, report] of reports.entries()) {
    const plan = plans[index];
    const { timestampUs } = report;
    if (plan?.timestampUs !== timestampUs) throw new SegmentsDiffer('a plan belongs to another frame');
    if (timestampUs <= last) throw new SegmentsDiffer('the frames of a segment are not in order');
    if (!isIn(timestampUs, segment.analysed)) throw new SegmentsDiffer('a frame lies outside its segment');
    frames.set(timestampUs, { report, plan });
    last = timestampUs;
  }
  return { segment, frames };
};

/** Times of the frames that both sides have analysed. @throws SegmentsDiffer where one of them misses a frame */
const sharedTimes = (before: Side, after: Side): readonly number[] => {
  const ranges = [before.segment.analysed, after.segment.analysed];
  const times = timesIn(before, ranges);
  const others = timesIn(after, ranges);
  if (times.length === others.length && times.every((time, index) => time === others[index])) return times;
  throw new SegmentsDiffer('two segments contain different frames of the same time');
};

/** Track ids that no other track of the video has. */
const createTrackIds = () => {
  let next = 0;
  const note = ({ frames }: Side): void => {
    for (const { report } of frames.values()) {
      for (const { trackId = -1 } of report.detections) next = Math.max(next, trackId + 1);
    }
  };
  return { note, fresh: (): number => next++ };
};
type TrackIds = ReturnType<typeof createTrackIds>;

/** The side after, with the ids that its tracks have on the side before. */
const withCommonTracks = (before: Side, after: Side, trackIds: TrackIds): Side => {
  const shared = sharedTimes(before, after).map((time) => ({
    before: before.frames.get(time)!.report,
    after: after.frames.get(time)!.report,
  }));
  const ids = new Map(matchTracks(shared));
  const idOf = (own: number): number => {
    const id = ids.get(own) ?? trackIds.fresh();
    ids.set(own, id);
    return id;
  };
  const frames = [...after.frames].map(([time, frame]) => [time, withTrackIds(frame, idOf)] as const);
  return { ...after, frames: new Map(frames) };
};

/** What a neighbour hides in a frame near their border; undefined: it is not near, or the neighbour does not know it. */
const beyond = (neighbour: Side | undefined, distanceUs: number, borderUs: number, timestampUs: number) =>
  distanceUs <= borderUs ? neighbour?.frames.get(timestampUs) : undefined;

function* coreFrames(
  current: Side,
  before: Side | undefined,
  after: Side | undefined,
  borderUs: number,
): Generator<AnalysedFrame> {
  const { core } = current.segment;
  for (const [time, frame] of current.frames) {
    if (!isIn(time, core)) continue;
    const others = [
      beyond(before, time - core.fromUs, borderUs, time),
      beyond(after, core.untilUs - time, borderUs, time),
    ];
    yield others.reduce<AnalysedFrame>(
      (united, other) => (other ? uniteFrames(united, other) : united),
      frame,
    );
  }
}

/**
 * Joins segments to the reports and plans of the whole video, in order. Up to three segments are in memory at a time.
 *
 * Each frame belongs to the segment whose core contains its timestamp. Near a border it hides what either side hides,
 * so that an object is not visible because one side has not detected it yet. Tracks continue where both sides agree.
 *
 * Gaps inside of a segment cannot be noticed here: rendering refuses frames without a plan of their own.
 *
 * @param read called once for each segment, in order
 * @param borderUs see `SegmentLimits`
 * @throws SegmentsDiffer
 */
export async function* joinSegments(
  segments: readonly Segment[],
  read: (number: number) => Promise<SegmentFrames>,
  borderUs: number = SEGMENT_LIMITS.borderUs,
): AsyncGenerator<AnalysedFrame> {
  checkOrder(segments);
  const trackIds = createTrackIds();
  const readSide = async (number: number, previous: Side | undefined): Promise<Side | undefined> => {
    const segment = segments[number];
    if (!segment) return undefined;
    const side = sideOf(segment, await read(number));
    const joined = previous ? withCommonTracks(previous, side, trackIds) : side;
    trackIds.note(joined);
    return joined;
  };
  let before: Side | undefined;
  let current = await readSide(0, undefined);
  let index = 0;
  for (let number = 1; current; number += 1) {
    const after = await readSide(number, current);
    for (const frame of coreFrames(current, before, after, borderUs)) yield withIndex(frame, index++);
    before = current;
    current = after;
  }
  if (index === 0) throw new SegmentsDiffer('no frame was analysed');
}
