import { describe, expect, it } from 'vitest';
import { boxArea, clipBox, intersectionArea, type Box } from '../../domain/boxes';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import type { FrameSignature } from '../motion/scene-cut';
import { createTracker, type TrackedFrame } from './track';
import type { Trackable } from './track-association';
import { TRACKING } from './track-limits';

const SIZE = { width: 1280, height: 720 };
const FRAME_US = 40_000;
const SIGNATURE: FrameSignature = { luma: new Float32Array(144), histogram: new Float32Array(16) };
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

type Find = (frame: number) => readonly Box[];

const follow = (
  frames: number,
  find: Find,
  objectClass: Trackable['objectClass'] = 'face',
): TrackedFrame[] => {
  const tracker = createTracker({ ...SIZE, thresholds: DEFAULT_THRESHOLDS });
  const out = range(frames).flatMap((index) =>
    tracker.push({
      index,
      timestampUs: index * FRAME_US,
      durationUs: FRAME_US,
      detections: find(index).map((box) => ({ objectClass, score: 0.8, box })),
      signature: SIGNATURE,
    }),
  );
  return [...out, ...tracker.finish()];
};

const hidden = (frame: TrackedFrame | undefined, box: Box): number => {
  const inside = clipBox(box, SIZE.width, SIZE.height);
  const areas = frame?.detections.map((one) => intersectionArea(one.box, inside)) ?? [];
  return Math.max(0, ...areas) / boxArea(inside);
};
const face = (x: number, y = 300, side = 40): Box => ({ x1: x, y1: y, x2: x + side, y2: y + side });

describe('tracking, scene by scene', () => {
  it('hides a face that enters at the border from its first pixels on', () => {
    const at = (i: number): Box => face(-40 + 5 * i);
    const out = follow(30, (i) => (i < 7 ? [] : [at(i)]));
    for (const i of range(29).slice(2)) expect(hidden(out[i], at(i))).toBeGreaterThan(0.9);
  });

  it('hides a face that passes behind a post', () => {
    const at = (i: number): Box => face(100 + 6 * i);
    const isBehind = (i: number): boolean => i > 14 && i < 27;
    const out = follow(40, (i) => (isBehind(i) ? [] : [at(i)]));
    for (const i of range(40)) expect(hidden(out[i], at(i))).toBeGreaterThan(0.9);
    expect(new Set(out.flatMap(({ detections }) => detections.map(({ trackId }) => trackId))).size).toBe(1);
  });

  it('hides a fast face that is missed in every third frame', () => {
    const at = (i: number): Box => face(20 + 40 * i);
    const out = follow(30, (i) => (i % 3 === 2 ? [] : [at(i)]));
    for (const i of range(29)) expect(hidden(out[i], at(i))).toBeGreaterThan(0.9);
  });

  it('hides a face through a jolt of the camera', () => {
    const at = (i: number): Box => face(300 + (i < 15 ? 0 : 35), 300 + (i < 15 ? 0 : 20));
    const out = follow(30, (i) => (i === 14 || i === 16 ? [] : [at(i)]));
    for (const i of range(30)) expect(hidden(out[i], at(i))).toBeGreaterThan(0.9);
  });

  it('hides a whole plate if each frame shows another part of it', () => {
    const whole = (i: number): Box => ({ x1: 300 + 3 * i, y1: 400, x2: 390 + 3 * i, y2: 420 });
    const left = (i: number): Box => ({ ...whole(i), x2: whole(i).x1 + 55 });
    const right = (i: number): Box => ({ ...whole(i), x1: whole(i).x2 - 55 });
    const found = [left, right, whole, right] as const;
    const out = follow(24, (i) => [(found[i % found.length] as (typeof found)[0])(i)], 'license-plate');
    for (const i of range(24)) expect(hidden(out[i], whole(i))).toBeGreaterThan(0.8);
  });

  it('coasts no longer than the limits in seconds, before and after', () => {
    const out = follow(80, (i) => (i >= 40 && i < 45 ? [face(600)] : []));
    const shown = out.filter(({ detections }) => detections.length > 0).map(({ index }) => index);
    expect(shown.at(0)).toBeGreaterThanOrEqual(40 - (TRACKING.coastBackSeconds * 1e6) / FRAME_US);
    expect(shown.at(-1)).toBeLessThanOrEqual(44 + (TRACKING.coastSeconds * 1e6) / FRAME_US);
  });
});
