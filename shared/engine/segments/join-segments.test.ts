import { describe, expect, it } from 'vitest';
import type { Box } from '../../domain/boxes';
import type { ObjectClass } from '../../catalogue/classes';
import { boxOf } from '../../testing/plans';
import { joinSegments, SegmentsDiffer, type SegmentFrames } from './join-segments';
import type { AnalysedFrame } from './join-frames';
import { planSegments, SEGMENT_LIMITS, type Segment } from './plan-segments';

const SECOND = 1e6;
const STEP_US = SECOND / 2;
/** Cores of 10 s, margins of 4 s; frames at 2 per second. */
const LIMITS = { ...SEGMENT_LIMITS, maxWholeUs: 0, coreUs: 10 * SECOND, minLastUs: 5 * SECOND };
const SEGMENTS = planSegments(30 * SECOND, LIMITS) as readonly Segment[];

interface Seen {
  readonly box: Box;
  readonly trackId?: number;
  readonly objectClass?: ObjectClass;
  readonly cellPx?: number;
  readonly score?: number;
}

const frameOf = (timestampUs: number, seen: readonly Seen[]): AnalysedFrame => {
  const items = seen.map(({ objectClass = 'face', score = 0.9, cellPx = 4, box, trackId }, id) => ({
    ...{ id, objectClass, score, box, cellPx },
    track: trackId === undefined ? {} : { trackId },
  }));
  return {
    report: {
      ...{ index: 0, timestampUs, width: 100, height: 100, durationS: 1 },
      detections: items.map(({ id, objectClass, score, box, track }) => ({
        ...{ id, objectClass, score, box, isAnonymised: true, color: [0, id + 1, 32] as const },
        ...track,
      })),
    },
    plan: {
      ...{ index: 0, timestampUs },
      regions: items.map(({ id, objectClass, score, box, cellPx, track }) => ({
        ...{ id, detection: { objectClass, score, box }, shape: { kind: 'box', box } as const },
        ...{ featherPx: 0, cellPx },
        ...track,
      })),
    },
  };
};

type See = (segment: number, seconds: number) => readonly Seen[];

const analysed = (number: number, see: See): SegmentFrames => {
  const { fromUs, untilUs } = SEGMENTS[number]!.analysed;
  const frames: AnalysedFrame[] = [];
  for (let time = 0; time < 30 * SECOND; time += STEP_US) {
    if (time >= fromUs && time < untilUs) frames.push(frameOf(time, see(number, time / SECOND)));
  }
  return { reports: frames.map(({ report }) => report), plans: frames.map(({ plan }) => plan) };
};

const join = async (
  see: See,
  change: (frames: SegmentFrames, number: number) => SegmentFrames = (frames) => frames,
  segments = SEGMENTS,
): Promise<AnalysedFrame[]> => {
  const joined: AnalysedFrame[] = [];
  for await (const frame of joinSegments(segments, async (n) => change(analysed(n, see), n))) {
    joined.push(frame);
  }
  return joined;
};

const FACE = boxOf(10, 10, 30, 30);
const boxesAt = (frames: readonly AnalysedFrame[], seconds: number): readonly Box[] =>
  frames[seconds * 2]!.plan.regions.map(({ detection }) => detection.box);
const tracksAt = (frames: readonly AnalysedFrame[], seconds: number) =>
  frames[seconds * 2]!.report.detections.map(({ trackId }) => trackId);

describe('joined segments', () => {
  it('contain each frame once, in order, numbered by position', async () => {
    const frames = await join(() => []);
    expect(frames.map(({ report }) => report.timestampUs)).toEqual(
      Array.from({ length: 60 }, (_, index) => index * STEP_US),
    );
    expect(frames.map(({ plan }) => plan.index)).toEqual(frames.map((_, index) => index));
    expect(frames.map(({ report }) => report.index)).toEqual(frames.map((_, index) => index));
  });

  it('hide near a border what either side hides, on both sides of it', async () => {
    const other = boxOf(60, 60, 80, 80);
    const frames = await join((segment, seconds) =>
      Math.abs(seconds - 10) < 3 ? [{ box: segment === 0 ? FACE : other }] : [],
    );
    for (const seconds of [9, 9.5, 10, 11]) {
      expect(boxesAt(frames, seconds)).toEqual(seconds < 10 ? [FACE, other] : [other, FACE]);
    }
    expect(boxesAt(frames, 8)).toEqual([FACE]);
    expect(boxesAt(frames, 12)).toEqual([other]);
  });

  it('report objects that only the other side knows with ids and colours of their own', async () => {
    const other = boxOf(60, 60, 80, 80);
    const frames = await join((segment) => [{ box: segment === 0 ? FACE : other }]);
    const { detections } = frames[20]!.report;
    expect(detections.map(({ id, color }) => [id, color[1]])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(frames[20]!.plan.regions.map(({ id }) => id)).toEqual([0, 1]);
  });

  it('hide an object once if one side hides all of it at least as strongly', async () => {
    const larger = boxOf(8, 8, 34, 34);
    const frames = await join((segment) => [{ box: segment === 0 ? FACE : larger, trackId: 1 }]);
    expect(boxesAt(frames, 9.5)).toEqual([larger]);
    expect(boxesAt(frames, 10)).toEqual([larger]);
    expect(frames[19]!.report.detections).toHaveLength(1);
  });

  it('hide an object twice if neither side covers it: both regions belong to one reported object', async () => {
    const finer = { box: boxOf(8, 8, 34, 34), trackId: 1, cellPx: 2 };
    const frames = await join((segment) => [segment === 0 ? { box: FACE, trackId: 1 } : finer]);
    const { plan, report } = frames[20]!;
    expect(plan.regions.map(({ id, cellPx }) => [id, cellPx])).toEqual([
      [0, 2],
      [0, 4],
    ]);
    expect(report.detections).toHaveLength(1);
  });

  it('keep two overlapping objects of different classes', async () => {
    const frames = await join((segment) => [
      { box: FACE, objectClass: segment === 0 ? 'face' : 'license-plate' },
    ]);
    expect(boxesAt(frames, 10)).toEqual([FACE, FACE]);
  });

  it('continue tracks that both sides follow, under the id of the first', async () => {
    const frames = await join((segment) => [{ box: FACE, trackId: [5, 0, 3][segment]! }]);
    expect(new Set(frames.flatMap((_, index) => tracksAt(frames, index / 2)))).toEqual(new Set([5]));
  });

  it('give different objects different track ids', async () => {
    const places = [FACE, boxOf(60, 60, 80, 80), boxOf(60, 10, 80, 30)];
    const frames = await join((segment) => [{ box: places[segment]!, trackId: 0 }]);
    expect([5, 15, 25].map((seconds) => tracksAt(frames, seconds))).toEqual([[0], [1], [2]]);
  });

  it('give a track to the one that shares most frames with it', async () => {
    const frames = await join((segment, seconds) =>
      segment === 0 ? [{ box: FACE, trackId: 4 }] : [{ box: FACE, trackId: seconds < 7 ? 8 : 9 }],
    );
    expect(tracksAt(frames, 15)).toEqual([4]);
  });
});

describe('segments that do not fit are refused:', () => {
  const without = (seconds: number, segment: number) => (frames: SegmentFrames, number: number) =>
    number !== segment
      ? frames
      : {
          reports: frames.reports.filter(({ timestampUs }) => timestampUs !== seconds * SECOND),
          plans: frames.plans.filter(({ timestampUs }) => timestampUs !== seconds * SECOND),
        };
  const isRefused = (joining: Promise<unknown>) => expect(joining).rejects.toThrow(SegmentsDiffer);

  it('a missing segment', async () => {
    await isRefused(join(() => [], undefined, [SEGMENTS[0]!, SEGMENTS[2]!]));
    await isRefused(join(() => [], undefined, SEGMENTS.slice(1)));
    await isRefused(join(() => [], undefined, []));
  });
  it('a frame that only one side has', async () => {
    await isRefused(join(() => [], without(9, 0)));
    await isRefused(join(() => [], without(9, 1)));
  });
  it('a frame twice', async () => {
    await isRefused(
      join(
        () => [],
        ({ reports, plans }) => ({ reports: [reports[0]!, ...reports], plans: [plans[0]!, ...plans] }),
      ),
    );
  });
  it('a frame without a plan, or with that of another frame', async () => {
    await isRefused(
      join(
        () => [],
        ({ reports, plans }) => ({ reports, plans: plans.slice(1) }),
      ),
    );
    await isRefused(
      join(
        () => [],
        ({ reports, plans }) => ({ reports, plans: plans.toReversed() }),
      ),
    );
  });
  it('a video without frames', async () => {
    await isRefused(
      join(
        () => [],
        () => ({ reports: [], plans: [] }),
      ),
    );
  });
});

describe('planned segments', () => {
  it('are none for a video of up to two minutes', () => {
    expect(planSegments(120 * SECOND)).toBeUndefined();
  });
  it('cover every frame once, with margins on both sides', () => {
    const segments = planSegments(150 * SECOND)!;
    expect(
      segments.map(({ core }) => [core.fromUs, core.untilUs].map((us) => Math.round(us / SECOND))),
    ).toEqual([
      [0, 60],
      [60, 120],
      [120, 150],
    ]);
    expect(segments[1]!.analysed).toEqual({ fromUs: 56 * SECOND, untilUs: 124 * SECOND });
    expect(segments[2]!.core.untilUs).toBeGreaterThan(150 * SECOND);
  });
  it('have no last core shorter than 20 seconds', () => {
    expect(
      planSegments(199 * SECOND)!.map(({ core }) => Math.round((core.untilUs - core.fromUs) / SECOND)),
    ).toEqual([60, 60, 79]);
  });
});
