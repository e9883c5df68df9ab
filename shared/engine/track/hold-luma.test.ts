import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import type { VideoFrame } from '../../ports/video';
import { scene, SIZE, square } from '../../testing/moving-thing';
import { createFollower } from './follow';
import type { FollowedFrame } from './follow-tracks';
import { holdLuma } from './hold-luma';

const FRAME_US = 40_000;
const FRAMES = 24;
const boxAt = (index: number) => square(100 + 4 * index, 80);
const frameAt = (index: number): VideoFrame => ({
  ...{ index, timestampUs: index * FRAME_US, durationUs: FRAME_US },
  raster: scene(boxAt(index)),
});
const options = { noObjectTracking: false, options: { thresholds: DEFAULT_THRESHOLDS } };
const foundAt = (index: number) =>
  index > FRAMES - 6 ? [{ objectClass: 'face' as const, score: 0.9, box: boxAt(index) }] : [];

describe('a frame that is held back as its luma', () => {
  it('leaves no pixels behind', async () => {
    const follower = createFollower(options, SIZE, { parking: holdLuma() });
    const pixels = Array.from({ length: 3 }, (_, index) => {
      const frame = frameAt(index);
      const kept = new WeakRef(frame.raster.data);
      follower.push(frame, [{ objectClass: 'face', score: 0.9, box: boxAt(index) }]);
      return kept;
    });
    await new Promise(setImmediate); // a WeakRef holds its target until the turn is over
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    expect(pixels.map((one) => one.deref())).toEqual([undefined, undefined, undefined]);
    expect(follower.finish()).toHaveLength(3);
  });

  it('is searched backwards for objects as well as one with pixels', () => {
    const follow = (parking?: ReturnType<typeof holdLuma>): FollowedFrame[] => {
      const follower = createFollower(options, SIZE, { parking });
      const settled = Array.from({ length: FRAMES }, (_, index) =>
        follower.push(frameAt(index), foundAt(index)),
      );
      return [...settled.flat(), ...follower.finish()];
    };
    const [decoded, held] = [follow(), follow(holdLuma())];
    expect(held.map(({ detections }) => detections.length)).toEqual(Array(FRAMES).fill(1));
    held.forEach(({ detections }, index) => {
      const [own, other] = [detections[0]!.box, decoded[index]!.detections[0]!.box];
      for (const side of ['x1', 'y1', 'x2', 'y2'] as const) expect(own[side]).toBeCloseTo(other[side], 0);
    });
  });
});
