import { describe, expect, it } from 'vitest';
import { scene, SIZE, square } from '../../testing/moving-thing';
import type { Detection, DetectorMask } from '../../domain/detection';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import { signFrame } from '../motion/scene-cut';
import { createTracker, type TrackedFrame } from './track';

const FRAME_US = 40_000;
const FRAMES = 20;
const SIGNATURE = signFrame(scene(square(40, 60)));
/** Named by the frame that it was found in. */
const outlineOf = (index: number): DetectorMask => ({
  data: Float32Array.of(index),
  columns: 1,
  rows: 1,
  x: 0,
  y: 0,
  scaleX: 1,
  scaleY: 1,
});

/** @param isMatched whether frames have pixels, so that templates are matched */
const follow = (foundIn: readonly number[], isMatched: boolean): TrackedFrame[] => {
  const tracker = createTracker({ ...SIZE, thresholds: DEFAULT_THRESHOLDS });
  const settled = Array.from({ length: FRAMES }, (_, index) => {
    const box = square(40, 60);
    const person: Detection = { objectClass: 'person', score: 0.9, box, masks: [outlineOf(index)] };
    return tracker.push({
      index,
      timestampUs: index * FRAME_US,
      durationUs: FRAME_US,
      detections: foundIn.includes(index) ? [person] : [],
      signature: SIGNATURE,
      ...(isMatched && { pixels: () => scene(box) }),
    });
  });
  return [...settled.flat(), ...tracker.finish()];
};

describe.each([
  ['matched by its template', true],
  ['coasted', false],
])('the mask of a track that is %s', (_name, isSeen) => {
  it('belongs to the frame of its detection, and to no other', () => {
    const foundIn = [5, 6, 7, 11, 12];
    const frames = follow(foundIn, isSeen);
    const outlined = frames.map(({ detections }) => detections[0]?.masks?.[0]?.data[0]);
    expect(outlined).toEqual(frames.map(({ index }) => (foundIn.includes(index) ? index : undefined)));
    expect(frames.filter(({ detections }) => detections.length > 0).length).toBeGreaterThan(foundIn.length);
  });
});
