import { describe, expect, it } from 'vitest';
import { boxHeight, type Box } from '../../domain/boxes';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import { createTracker, type TrackedFrame } from './track';
import type { Trackable } from './track-association';

const SIZE = { width: 768, height: 432 };
const FRAME_US = 80_000;
const SIGNATURE = { luma: new Float32Array(144), histogram: new Float32Array(16).fill(1 / 16) };
/** A white plate. */
const WHITE = Float32Array.from({ length: 64 }, (_, bin) => (bin === 63 ? 1 : 0));
/** A red car. */
const RED = Float32Array.from({ length: 64 }, (_, bin) => (bin === 48 ? 1 : 0));

const PLATE_PX = 11;
/** More than its height in each frame: no box overlaps the one before. */
const STEP_PX = 17;
const plateAt = (y: number): Box => ({ x1: 390, y1: y, x2: 420, y2: y + PLATE_PX });
const plate = (y: number, score = 0.95): Trackable => ({
  objectClass: 'license-plate',
  score,
  box: plateAt(y),
  appearance: WHITE,
});

const track = (frames: readonly (readonly Trackable[])[]): TrackedFrame[] => {
  const tracker = createTracker({ ...SIZE, thresholds: DEFAULT_THRESHOLDS });
  const out = frames.flatMap((detections, index) =>
    tracker.push({
      index,
      timestampUs: index * FRAME_US,
      durationUs: FRAME_US,
      detections,
      signature: SIGNATURE,
    }),
  );
  return [...out, ...tracker.finish()];
};

describe('a plate that moves by more than its height in each frame', () => {
  it('coasts on at its speed, before its first and after its last hit', () => {
    const out = track(
      Array.from({ length: 12 }, (_, i) => (i >= 4 && i < 9 ? [plate(360 - STEP_PX * i)] : [])),
    );
    for (const index of [2, 3, 9, 10]) {
      const hidden = out[index]?.detections[0]?.box as Box;
      const centre = (hidden.y1 + hidden.y2) / 2;
      expect(Math.abs(centre - (360 - STEP_PX * index + PLATE_PX / 2))).toBeLessThan(PLATE_PX / 2);
      expect(boxHeight(hidden)).toBeLessThan(2 * PLATE_PX);
    }
  });

  it.each([
    ['that hold it', 331, 357],
    ['that overlap it', 341, 361],
  ])('stays one track where it passes weak hits of the car %s', (_, y1, y2) => {
    const weak: Trackable = {
      objectClass: 'license-plate',
      score: 0.3,
      box: { x1: 387, y1, x2: 423, y2 },
      appearance: RED,
    };
    const out = track([[weak], [], ...Array.from({ length: 8 }, (_unused, i) => [plate(360 - STEP_PX * i)])]);
    expect(new Set(out.flatMap(({ detections }) => detections.map(({ trackId }) => trackId))).size).toBe(1);
  });
});
