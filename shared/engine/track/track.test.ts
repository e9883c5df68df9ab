import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersectionArea, boxArea, type Box } from '../../domain/boxes';
import type { ObjectClass } from '../../catalogue/classes';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import type { FrameSignature } from '../motion/scene-cut';
import { createTracker, type TrackedDetection, type TrackedFrame } from './track';
import type { Trackable } from './track-association';
import { MAX_WINDOW_FRAMES, TRACKING } from './track-limits';

const SIZE = { width: 1280, height: 720 };
const FRAME_US = 40_000;

const square = (x: number, y = 300, side = 60): Box => ({ x1: x, y1: y, x2: x + side, y2: y + side });
const seen = (box: Box, score = 0.9, objectClass: ObjectClass = 'face'): Trackable => ({
  objectClass,
  score,
  box,
});

/** Signatures of two unrelated scenes. */
const DAY: FrameSignature = {
  luma: Float32Array.from({ length: 144 }, (_, i) => i),
  histogram: Float32Array.from({ length: 16 }, (_, i) => (i < 8 ? 0.125 : 0)),
};
const NIGHT: FrameSignature = {
  luma: Float32Array.from({ length: 144 }, (_, i) => (i * 67) % 144),
  histogram: Float32Array.from({ length: 16 }, (_, i) => (i < 8 ? 0 : 0.125)),
};

interface Clip {
  readonly frames: readonly (readonly Trackable[])[];
  readonly cutBefore?: number;
  readonly times?: readonly number[];
}

const track = ({ frames, cutBefore = Infinity, times }: Clip): TrackedFrame[] => {
  const tracker = createTracker({ ...SIZE, thresholds: DEFAULT_THRESHOLDS });
  const out = frames.flatMap((detections, index) =>
    tracker.push({
      index,
      timestampUs: times?.[index] ?? index * FRAME_US,
      durationUs: FRAME_US,
      detections,
      signature: index < cutBefore ? DAY : NIGHT,
    }),
  );
  return [...out, ...tracker.finish()];
};

const covers = (detections: readonly TrackedDetection[], box: Box, share: number): boolean =>
  detections.some((one) => intersectionArea(one.box, box) >= share * boxArea(box) - 1e-6);
const ids = (frames: readonly TrackedFrame[]): Set<number> =>
  new Set(frames.flatMap(({ detections }) => detections.map(({ trackId }) => trackId)));
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('tracking', () => {
  it('hides a face in four frames in which it was missed', () => {
    const out = track({
      frames: range(30).map((i) => (i >= 12 && i < 16 ? [] : [seen(square(100 + 8 * i))])),
    });
    for (const i of range(30)) expect(covers(out[i]!.detections, square(100 + 8 * i), 0.99)).toBe(true);
    expect(out.map(({ detections }) => detections[0]?.origin).slice(11, 17)).toEqual([
      'found',
      ...range(4).map(() => 'interpolated'),
      'found',
    ]);
    expect(ids(out).size).toBe(1);
  });

  it('hides a track before its first hit', () => {
    const out = track({ frames: range(30).map((i) => (i < 15 ? [] : [seen(square(100 + 8 * i))])) });
    for (const i of range(8)) {
      expect(covers(out[14 - i]!.detections, square(100 + 8 * (14 - i)), 0.9)).toBe(true);
      expect(out[14 - i]!.detections[0]?.origin).toBe('carried');
    }
    expect(out[0]!.detections).toEqual([]);
  });

  it('hides a whole object where only a part was detected, also in its last hit', () => {
    const whole = (i: number): Box => ({ x1: 100 + 5 * i, y1: 300, x2: 180 + 5 * i, y2: 320 });
    const half = (i: number): Box => ({ ...whole(i), x1: 140 + 5 * i });
    const isWhole = (i: number): boolean => i < 8 || (i > 11 && i < 14);
    const out = track({
      frames: range(24).map((i) =>
        i > 17 ? [] : [seen(isWhole(i) ? whole(i) : half(i), 0.9, 'license-plate')],
      ),
    });
    for (const i of range(24)) expect(covers(out[i]!.detections, whole(i), 0.9)).toBe(true);
  });

  it('hides a lost track for a while, and then no longer', () => {
    const out = track({ frames: range(60).map((i) => (i > 15 ? [] : [seen(square(100 + 8 * i))])) });
    for (const i of range(8)) {
      expect(covers(out[16 + i]!.detections, square(100 + 8 * (16 + i)), 0.9)).toBe(true);
    }
    expect(out[59]!.detections).toEqual([]);
  });

  it('ends all tracks at a cut', () => {
    const out = track({
      frames: range(30).map((i) => (i < 15 ? [seen(square(100))] : i > 16 ? [seen(square(700))] : [])),
      cutBefore: 15,
    });
    for (const { index, detections } of out) {
      expect(detections.map(({ box }) => box.x1 < 400)).toEqual([index < 15]);
    }
    expect(ids(out).size).toBe(2);
  });

  it('keeps the ids of two persons who cross', () => {
    const left = (i: number): Box => ({ x1: 100 + 12 * i, y1: 200, x2: 180 + 12 * i, y2: 420 });
    const right = (i: number): Box => ({ x1: 700 - 12 * i, y1: 230, x2: 780 - 12 * i, y2: 450 });
    const isBehind = (i: number): boolean => Math.abs(left(i).x1 - right(i).x1) < 60;
    const out = track({
      frames: range(50).map((i) => [
        seen(left(i), 0.9, 'person'),
        ...(isBehind(i) ? [] : [seen(right(i), 0.9, 'person')]),
      ]),
    });
    const idAt = (i: number, box: Box): number | undefined =>
      out[i]!.detections.find((one) => Math.abs(one.box.x1 - box.x1) < 30)?.trackId;
    expect(idAt(49, left(49))).toBe(idAt(0, left(0)));
    expect(idAt(49, right(49))).toBe(idAt(0, right(0)));
    expect(ids(out).size).toBe(2);
  });

  it('continues a track with a detection below the threshold, and starts none with it', () => {
    const weak = track({ frames: range(30).map((i) => [seen(square(100 + 8 * i), 0.3)]) });
    expect(weak.flatMap(({ detections }) => detections)).toEqual([]);
    const out = track({
      frames: range(30).map((i) => [seen(square(100 + 8 * i), i > 5 && i < 25 ? 0.3 : 0.9)]),
    });
    expect(out.every(({ detections }) => detections[0]?.origin === 'found')).toBe(true);
  });

  it('uses the weak hits before a track was confirmed', () => {
    const out = track({ frames: range(30).map((i) => [seen(square(100 + 8 * i), i < 10 ? 0.3 : 0.9)]) });
    expect(out.every(({ detections }) => detections[0]?.origin === 'found')).toBe(true);
  });

  it('tracks each class by itself', () => {
    const out = track({
      frames: range(20).map((i) => [seen(square(100), 0.9, i % 2 ? 'face' : 'license-plate')]),
    });
    for (const { detections } of out) {
      expect(new Set(detections.map(({ objectClass }) => objectClass)).size).toBe(detections.length);
    }
    expect(ids(out).size).toBe(2);
  });

  it('finds a small fast object again by its appearance', () => {
    const red = Float32Array.from({ length: 64 }, (_, i) => (i === 48 ? 1 : 0));
    const green = Float32Array.from({ length: 64 }, (_, i) => (i === 12 ? 1 : 0));
    const clip = (second: Float32Array): TrackedFrame[] =>
      track({
        frames: range(4).map((i) => [
          { ...seen(square(100 + 40 * i, 300, 20)), appearance: i ? second : red },
        ]),
      });
    expect(ids(clip(red)).size).toBe(1);
    expect(ids(clip(green)).size).toBe(2);
  });

  it("moves a tilted plate's corners with its track", () => {
    const plate = (i: number): Trackable => {
      const x = 100 + 8 * i;
      const box = { x1: x, y1: 300, x2: x + 80, y2: 340 };
      const corners = [
        [x, 300],
        [x + 80, 320],
        [x + 80, 340],
        [x, 320],
      ] as const;
      return { ...seen(box, 0.9, 'license-plate'), corners };
    };
    const out = track({ frames: range(20).map((i) => (i === 10 || i > 15 ? [] : [plate(i)])) });
    for (const i of [10, 16, 17]) {
      const { corners } = out[i]!.detections[0]!;
      expect(corners![0][0]).toBeLessThanOrEqual(101 + 8 * i);
      expect(corners![2][0]).toBeGreaterThanOrEqual(179 + 8 * i);
    }
  });

  it('counts seconds, not frames, where frames are unevenly spaced', () => {
    const times = range(40).map((i) => i * FRAME_US + (i % 3) * 12_000 + (i > 20 ? 200_000 : 0));
    const at = (i: number): Box => square(100 + times[i]! / 5000, 300);
    const out = track({ frames: range(40).map((i) => (i > 17 && i < 24 ? [] : [seen(at(i))])), times });
    for (const i of range(40)) expect(covers(out[i]!.detections, at(i), 0.99)).toBe(true);
  });

  it('coasts a track over at least two frames of a slow sequence', () => {
    const times = range(8).map((i) => i * 1_000_000);
    const out = track({ frames: range(8).map((i) => (i === 4 ? [seen(square(100))] : [])), times });
    expect(out.map(({ detections }) => detections.length)).toEqual([0, 0, 1, 1, 1, 1, 1, 0]);
  });

  it('coasts no track beyond the frame', () => {
    const out = track({
      frames: range(40).map((i) => (i < 20 ? [seen(square(1000 + 14 * i))] : [])),
    });
    for (const { box } of out.flatMap(({ detections }) => detections)) {
      expect(box.x2).toBeLessThanOrEqual(SIZE.width);
      expect(box.x2 - box.x1).toBeGreaterThanOrEqual(2);
    }
  });

  it('holds back no more frames than its window, and forgets ended tracks', () => {
    const tracker = createTracker({ ...SIZE, thresholds: DEFAULT_THRESHOLDS, maxWindowFrames: 5 });
    let emitted = 0;
    for (let index = 0; index < 200; index++) {
      const frame = { index, timestampUs: index * 1000, durationUs: 1000, signature: DAY };
      emitted += tracker.push({ ...frame, detections: [seen(square(100))] }).length;
      expect(index + 1 - emitted).toBeLessThanOrEqual(5);
    }
    expect(MAX_WINDOW_FRAMES).toBeLessThanOrEqual(64);
  });
});

const anyBox = fc
  .tuple(
    fc.integer({ min: 0, max: 1200 }),
    fc.integer({ min: 0, max: 650 }),
    fc.integer({ min: 4, max: 300 }),
  )
  .map(([x, y, side]) => ({ x1: x, y1: y, x2: Math.min(1280, x + side), y2: Math.min(720, y + side) }));
const anyDetection: fc.Arbitrary<Trackable> = fc.record({
  objectClass: fc.constantFrom(
    'face' as const,
    'license-plate' as const,
    'person' as const,
    'vehicle' as const,
  ),
  score: fc.double({ min: 0.2, max: 1, noNaN: true }),
  box: anyBox,
});
const anyClip = fc.record({
  frames: fc.array(fc.array(anyDetection, { maxLength: 5 }), { maxLength: 30 }),
  steps: fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 30, maxLength: 30 }),
  cutBefore: fc.integer({ min: 0, max: 30 }),
});

describe('tracking with random detections', () => {
  it('never uncovers a detection', () => {
    fc.assert(
      fc.property(anyClip, ({ frames, steps, cutBefore }) => {
        let time = 0;
        const times = steps.map((step) => (time += step));
        const out = track({ frames, times, cutBefore });
        out.forEach(({ detections }, i) => {
          for (const { box, objectClass, score } of frames[i]!) {
            if (score < DEFAULT_THRESHOLDS[objectClass]) continue;
            const own = detections.filter((one) => one.origin === 'found' && one.objectClass === objectClass);
            expect(covers(own, box, 1)).toBe(true);
          }
        });
      }),
      { numRuns: 200 },
    );
  });

  it('returns every frame once, in order, with each track at most once in it, inside the frame', () => {
    fc.assert(
      fc.property(anyClip, ({ frames, steps, cutBefore }) => {
        let time = 0;
        const times = steps.map((step) => (time += step));
        const out = track({ frames, times, cutBefore });
        expect(out.map(({ index }) => index)).toEqual(range(frames.length));
        expect(out.map(({ timestampUs }) => timestampUs)).toEqual(times.slice(0, frames.length));
        for (const { detections } of out) {
          expect(new Set(detections.map(({ trackId }) => trackId)).size).toBe(detections.length);
          for (const { box } of detections) {
            expect(
              Math.min(box.x1, box.y1, SIZE.width - box.x2, SIZE.height - box.y2),
            ).toBeGreaterThanOrEqual(0);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('hides no track beyond a cut on whose other side all its hits are', () => {
    fc.assert(
      fc.property(fc.array(anyDetection, { minLength: 1, maxLength: 5 }), fc.boolean(), (found, isBefore) => {
        const frames = range(12).map((i) => (i < 6 === isBefore ? found : []));
        for (const { index, detections } of track({ frames, cutBefore: 6 })) {
          if (index < 6 !== isBefore) expect(detections).toEqual([]);
        }
      }),
    );
  });

  it('interpolates across every short gap', () => {
    const gap = fc.integer({ min: 1, max: Math.floor((TRACKING.interpolateSeconds * 1e6) / FRAME_US / 2) });
    const speed = fc.integer({ min: -6, max: 6 });
    fc.assert(
      fc.property(gap, speed, (missing, px) => {
        const at = (i: number): Box => square(600 + px * i);
        const frames = range(20 + missing).map((i) => (i >= 10 && i < 10 + missing ? [] : [seen(at(i))]));
        track({ frames }).forEach(({ detections }, i) => expect(covers(detections, at(i), 0.98)).toBe(true));
      }),
    );
  });
});
