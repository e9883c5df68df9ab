import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STILL } from '../motion/camera-motion';
import { boxArea, boxHeight, boxWidth, intersectionArea, type Box } from '../../domain/boxes';
import { correctMotion, predictMotion, startMotion } from './kalman';
import { SIZE_MEMORY } from './track-limits';
import type { Observation } from './track-model';
import { wholeBox } from './track-size';

const FRAME_S = 0.04;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** A track with one find in each frame. */
const hits = (boxes: readonly Box[]): Observation[] => {
  let motion = startMotion(boxes[0] as Box);
  return boxes.map((box, position) => {
    if (position > 0) motion = correctMotion(predictMotion(motion, FRAME_S), box);
    return {
      moment: { position, seconds: position * FRAME_S, scene: 0, camera: STILL },
      detection: { objectClass: 'license-plate', score: 0.8, box },
      motion,
    };
  });
};

/** A plate on its way, nearer by `growth` a frame. */
const plate = (i: number, growth = 1): Box => {
  const width = 100 * growth ** i;
  const x = 200 + 6 * i;
  return { x1: x - width / 2, y1: 300 - width / 8, x2: x + width / 2, y2: 300 + width / 8 };
};
const part = ({ x1, x2, ...box }: Box, from: number, to: number): Box => ({
  ...box,
  x1: x1 + from * (x2 - x1),
  x2: x1 + to * (x2 - x1),
});
const hiddenShare = (hidden: Box, box: Box): number => intersectionArea(hidden, box) / boxArea(box);

describe('the size of a hit', () => {
  it.each([
    ['right', 0, 0.5],
    ['left', 0.5, 1],
    ['outer', 0.3, 0.7],
  ])('is that of the hits around it if the %s part was missed', (_side, from, to) => {
    for (const growth of [0.98, 1, 1.03]) {
      const boxes = range(12).map((i) =>
        i > 3 && i < 7 ? part(plate(i, growth), from, to) : plate(i, growth),
      );
      for (const i of range(12)) {
        const whole = wholeBox(hits(boxes), i);
        expect(hiddenShare(whole, plate(i, growth))).toBeGreaterThan(0.95);
        expect(boxArea(whole)).toBeLessThan(1.15 * boxArea(plate(i, growth)));
      }
    }
  });

  it('follows hits that are added to its track and removed from it', () => {
    const boxes = range(18).map((i) => (i < 6 ? part(plate(i), 0.5, 1) : plate(i)));
    const track = hits(boxes);
    const spans = [
      [0, 6],
      [0, 18],
      [2, 18],
      [2, 9],
      [0, 9],
    ] as const;
    for (const [from, to] of spans) {
      for (const i of range(3)) {
        expect(wholeBox(track.slice(from, to), i)).toEqual(wholeBox(hits(boxes).slice(from, to), i));
      }
    }
  });

  it('is that of the later hits while a post uncovers the object from a third of it on', () => {
    const shown = (i: number): number => Math.min(1, 0.3 + 0.07 * i);
    const boxes = range(18).map((i) => part(plate(i), 1 - shown(i), 1));
    for (const i of range(18)) {
      const whole = wholeBox(hits(boxes), i);
      expect(hiddenShare(whole, plate(i))).toBeGreaterThan(0.9);
      expect(boxArea(whole)).toBeLessThan(1.15 * boxArea(plate(i)));
    }
  });

  it('is that of a few whole hits among many partial ones', () => {
    const boxes = range(15).map((i) => (i % 5 === 2 ? plate(i) : part(plate(i), 0.2, 0.8)));
    for (const i of range(15)) expect(hiddenShare(wholeBox(hits(boxes), i), plate(i))).toBeGreaterThan(0.95);
  });

  it('comes from later hits if the first ones are partial', () => {
    const boxes = range(12).map((i) => (i < 4 ? part(plate(i), 0, 0.6) : plate(i)));
    for (const i of range(4)) expect(hiddenShare(wholeBox(hits(boxes), i), plate(i))).toBeGreaterThan(0.9);
  });

  it('is not enlarged by one hit that is too large', () => {
    const boxes = range(12).map((i) => (i === 6 ? { x1: 100, y1: 200, x2: 500, y2: 420 } : plate(i)));
    for (const i of range(12)) {
      if (i !== 6) expect(boxArea(wholeBox(hits(boxes), i))).toBeLessThan(1.1 * boxArea(plate(i)));
    }
  });

  it('is not changed if an object approaches or moves away', () => {
    for (const growth of [0.95, 1.05]) {
      const boxes = range(20).map((i) => plate(i, growth));
      for (const i of range(20)) expect(wholeBox(hits(boxes), i)).toEqual(boxes[i]);
    }
  });

  it('applies only for a limited time', () => {
    const later = Math.ceil(SIZE_MEMORY.seconds / FRAME_S);
    const boxes = range(3 * later).map((i) => (i < later ? plate(i) : part(plate(i), 0, 0.5)));
    const last = 3 * later - 1;
    expect(wholeBox(hits(boxes), last)).toEqual(boxes[last]);
  });

  it('contains the detection, and is bounded, for any other hits', () => {
    const side = fc.integer({ min: 1, max: 300 });
    const anyBox = fc
      .tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 500 }), side, side)
      .map(([x1, y1, width, height]) => ({ x1, y1, x2: x1 + width, y2: y1 + height }));
    fc.assert(
      fc.property(fc.array(anyBox, { minLength: 1, maxLength: 40 }), (boxes) => {
        const track = hits(boxes);
        boxes.forEach((box, i) => {
          const whole = wholeBox(track, i);
          expect(intersectionArea(whole, box)).toBeCloseTo(boxArea(box), 3);
          expect(boxWidth(whole)).toBeLessThanOrEqual(SIZE_MEMORY.max * boxWidth(box) + 1e-6);
          expect(boxHeight(whole)).toBeLessThanOrEqual(SIZE_MEMORY.max * boxHeight(box) + 1e-6);
        });
      }),
    );
  });
});
