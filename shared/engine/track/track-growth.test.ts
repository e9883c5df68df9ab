import { describe, expect, it } from 'vitest';
import { boxOf, found } from '../../testing/plans';
import { boxArea, intersectionArea, type Box } from '../../domain/boxes';
import type { Corners } from '../../domain/detection';
import type { ObjectClass } from '../../catalogue/classes';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import type { FrameSignature } from '../motion/scene-cut';
import { createTracker, type TrackedDetection, type TrackedFrame, type Tracker } from './track';
import type { Trackable } from './track-association';
import { TENTATIVE } from './track-limits';

const FRAME_US = 40_000;
const DAY: FrameSignature = { luma: new Float32Array(144), histogram: new Float32Array(16) };

const square = (x: number, y = 300, side = 60): Box => boxOf(x, y, x + side, y + side);
const seen = (box: Box, score: number, objectClass: ObjectClass = 'face'): Trackable =>
  found(objectClass, box, score);
const open = (): Tracker => createTracker({ width: 1280, height: 720, thresholds: DEFAULT_THRESHOLDS });
const frameOf = (index: number, detections: readonly Trackable[]) => ({
  index,
  timestampUs: index * FRAME_US,
  durationUs: FRAME_US,
  signature: DAY,
  detections,
});
const track = (frames: readonly (readonly Trackable[])[]): TrackedFrame[] => {
  const tracker = open();
  const settled = frames.flatMap((detections, index) => tracker.push(frameOf(index, detections)));
  return [...settled, ...tracker.finish()];
};
const covers = (detections: readonly TrackedDetection[], box: Box): boolean =>
  detections.some((one) => intersectionArea(one.box, box) >= boxArea(box) - 1e-6);
const ids = (frames: readonly TrackedFrame[]): Set<number> =>
  new Set(frames.flatMap(({ detections }) => detections.map(({ trackId }) => trackId)));
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('an object with weak hits', () => {
  it('is hidden from its first hit on once it has a confident one, however fast it is', () => {
    const fast = (i: number): Box => square(100 + 25 * i);
    const out = track(range(12).map((i) => [seen(fast(i), i < 11 ? 0.3 : 0.6)]));
    for (const i of range(12)) expect(covers(out[i]!.detections, fast(i))).toBe(true);
    expect(ids(out)).toEqual(new Set([0]));
  });

  it('is hidden at the place between its neighbours, too, without the corners of a weak hit', () => {
    const plate = (y: number): Box => boxOf(100, y, 140, y + 10);
    const corners = (y: number): Corners => [
      [100, y],
      [140, y],
      [140, y + 10],
      [100, y + 10],
    ];
    const at = (y: number, score: number): Trackable => ({
      ...seen(plate(y), score, 'license-plate'),
      corners: corners(y),
    });
    const scores = [0.9, 0.9, 0.3, 0.9, 0.9];
    const out = track(scores.map((score) => [at(score < 0.5 ? 304 : 300, score)]));
    const [hidden] = out[2]!.detections;
    expect(hidden).not.toHaveProperty('corners');
    expect(hidden!.box.y1).toBeLessThanOrEqual(300);
    expect(hidden!.box.y2).toBeGreaterThanOrEqual(314);
    expect(out[1]!.detections[0]).toHaveProperty('corners');
  });

  it('is also hidden if it is a part of an object that appears from behind another', () => {
    const whole: Box = { x1: 100, y1: 300, x2: 180, y2: 320 };
    const end: Box = { ...whole, x1: 160 };
    const out = track(
      range(8).map((i) =>
        i > 2 && i < 5 ? [] : [seen(i < 3 ? end : whole, i < 3 ? 0.3 : 0.9, 'license-plate')],
      ),
    );
    expect(out.map(({ detections }) => detections[0]?.origin).slice(0, 3)).toEqual([
      'found',
      'found',
      'found',
    ]);
    expect(ids(out).size).toBe(1);
  });

  it('does not count among the hidden objects', () => {
    const noise = range(5).map((i) => seen(square(100 + 200 * i, 500), 0.3));
    const out = track(range(10).map((i) => [...noise, ...(i > 5 ? [seen(square(100, 100), 0.9)] : [])]));
    expect(ids(out)).toEqual(new Set([0]));
  });

  const MANY = range(200).map((i) => square((i % 40) * 30, 100 * Math.floor(i / 40), 20));

  it('is predicted, within bounds', () => {
    const tracker = open();
    const many = MANY.map((box) => seen(box, 0.3));
    for (const index of range(5)) {
      const detections = index < 4 ? [many[0]!] : many;
      tracker.push({
        index,
        timestampUs: index * FRAME_US,
        durationUs: FRAME_US,
        detections,
        signature: DAY,
      });
      expect(tracker.predict()(index * FRAME_US).length).toBe(index < 4 ? 1 : TENTATIVE.maxPredicted);
    }
  });

  it('is one of a limited number', () => {
    const [first] = track([MANY.map((box) => seen(box, 0.3)), MANY.map((box) => seen(box, 0.9))]);
    const continued = first!.detections.filter(({ origin }) => origin === 'found');
    expect(continued).toHaveLength(TENTATIVE.max);
  });
});
