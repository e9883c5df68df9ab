import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scene, SIZE } from '../../testing/moving-thing';
import { boxOf, found } from '../../testing/plans';
import { boxArea, intersectionArea, type Box } from '../../domain/boxes';
import type { Shift } from '../motion/camera-motion';
import { createFollower } from './follow';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import type { FrameSignature } from '../motion/scene-cut';
import { createTracker, type TrackedFrame } from './track';

const FRAME_US = 40_000;
const FRAMES = 30;
const IMAGE = { width: 1280, height: 720 };
const SIGNATURE: FrameSignature = { luma: new Float32Array(144), histogram: new Float32Array(16) };
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const hiddenShare = ({ detections }: TrackedFrame, box: Box): number =>
  Math.max(0, ...detections.map((one) => intersectionArea(one.box, box) / boxArea(box)));

/** A small plate under a camera that shakes: from frame to frame it moves by more than its height. */
const cameraAt = (i: number): Shift => ({
  x: Math.round(25 * Math.sin(1.7 * i)),
  y: Math.round(18 * Math.cos(2.3 * i)),
});
const plateAt = (i: number): Box => {
  const { x, y } = cameraAt(i);
  return boxOf(400 - x + i, 300 - y, 436 - x + i, 308 - y);
};
const shiftAt = (i: number): Shift => {
  const [before, now] = [cameraAt(Math.max(0, i - 1)), cameraAt(i)];
  return { x: before.x - now.x, y: before.y - now.y };
};

const follow = (knowsShift: boolean, isFound: (i: number) => boolean): TrackedFrame[] => {
  const tracker = createTracker({ ...IMAGE, thresholds: DEFAULT_THRESHOLDS });
  const settled = range(FRAMES).flatMap((index) =>
    tracker.push({
      index,
      timestampUs: index * FRAME_US,
      durationUs: FRAME_US,
      detections: isFound(index) ? [found('license-plate', plateAt(index))] : [],
      signature: SIGNATURE,
      ...(knowsShift && { shift: shiftAt(index) }),
    }),
  );
  return [...settled, ...tracker.finish()];
};

describe('with a shaking camera', () => {
  it('a plate is hidden at its place in frames without a detection: before, between and after its hits', () => {
    const isFound = (i: number): boolean => i > 6 && i < 20 && i % 4 === 0;
    const frames = follow(true, isFound);
    for (const i of range(FRAMES)) expect(hiddenShare(frames[i]!, plateAt(i)), `${i}`).toBeGreaterThan(0.9);
    const unaware = follow(false, isFound);
    expect(range(FRAMES).some((i) => hiddenShare(unaware[i]!, plateAt(i)) < 0.5)).toBe(true);
  });

  it('a detection is never uncovered, for any measured camera motion', () => {
    const side = fc.integer({ min: -200, max: 200 }).map((value) => value / 3);
    const steps = fc.array(fc.record({ x: side, y: side }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(steps, (shifts) => {
        const tracker = createTracker({ ...IMAGE, thresholds: DEFAULT_THRESHOLDS });
        const settled = shifts.flatMap((shift, index) =>
          tracker.push({
            index,
            timestampUs: index * FRAME_US,
            durationUs: FRAME_US,
            detections: [found('face', boxOf(600 + index, 300, 640 + index, 350))],
            signature: SIGNATURE,
            shift,
          }),
        );
        [...settled, ...tracker.finish()].forEach((frame, i) =>
          expect(hiddenShare(frame, boxOf(600 + i, 300, 640 + i, 350))).toBeGreaterThan(1 - 1e-6),
        );
      }),
    );
  });

  it('a track is predicted at its place in the next frame', () => {
    const thresholds = DEFAULT_THRESHOLDS;
    const follower = createFollower({ noObjectTracking: false, options: { thresholds } }, SIZE);
    const at = (camera: number): Box => boxOf(150 - camera, 90, 190 - camera, 110);
    const frame = (index: number, camera: number) => ({
      index,
      timestampUs: index * FRAME_US,
      durationUs: FRAME_US,
      raster: scene(at(camera), 0, { x: camera, y: 0 }),
    });
    for (const index of range(4)) follower.push(frame(index, 0), [found('license-plate', at(0))]);
    const [expected] = follower.expect(frame(4, 18));
    expect(Math.abs(expected!.box.x1 - at(18).x1)).toBeLessThan(2);
  });
});
