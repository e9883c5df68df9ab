import { describe, expect, it } from 'vitest';
import type { VideoFrame } from '../ports/video';
import { intersectionOverSmaller } from '../domain/boxes';
import type { Detection, Expected } from '../domain/detection';
import { boxOf, found } from '../testing/plans';
import { createRaster } from '../testing/rasters';
import { createFollower } from './track/follow';
import { followFrames } from './follow-frames';
import { DEFAULT_THRESHOLDS } from '../domain/options';
import { planSearches } from './search/search-schedule';

const SIZE = { width: 192, height: 108 };
const FRAME_US = 20_000;
const FRAMES = 16;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** A plate that moves 3 px in each frame. */
const placeIn = (index: number) => boxOf(20 + 3 * index, 40, 60 + 3 * index, 60);

interface Outcome {
  /** The predictions that each search got. */
  readonly expected: Map<number, readonly Expected[]>;
  readonly settled: readonly number[];
}

/** @param turns of the event loop that each search takes */
const follow = async (turns: (index: number) => number, detectEvery = 1): Promise<Outcome> => {
  const raster = createRaster(SIZE.width, SIZE.height, (x) => [x, x, x]);
  async function* frames(): AsyncGenerator<VideoFrame> {
    for (let index = 0; index < FRAMES; index++) {
      yield { index, timestampUs: index * FRAME_US, durationUs: FRAME_US, raster };
    }
  }
  const follower = createFollower(
    { noObjectTracking: false, options: { thresholds: DEFAULT_THRESHOLDS } },
    SIZE,
  );
  const expected = new Map<number, readonly Expected[]>();
  const settled: number[] = [];
  const plan = planSearches(true, detectEvery);
  const stream = followFrames(frames(), plan, follower, async ({ index }, scope) => {
    expected.set(index, scope.expected);
    for (let i = 0; i < turns(index); i++) await settle();
    return [found('license-plate', placeIn(index))];
  });
  for await (const done of stream) settled.push(...done.map(({ frame }) => frame.index));
  return { expected, settled };
};

describe('a plate with a weak hit', () => {
  /** @param others detections of each frame, besides the plate's in the first frame and in aimed searches */
  const hiddenFrom = async (
    isSeenWhenAimedAt: boolean,
    others: readonly Detection[] = [],
  ): Promise<readonly number[]> => {
    const aimed: number[] = [];
    const follower = createFollower(
      { noObjectTracking: false, options: { thresholds: DEFAULT_THRESHOLDS } },
      SIZE,
    );
    const raster = createRaster(SIZE.width, SIZE.height, (x) => [x, x, x]);
    async function* frames(): AsyncGenerator<VideoFrame> {
      for (let index = 0; index < FRAMES; index++) {
        yield { index, timestampUs: index * FRAME_US, durationUs: FRAME_US, raster };
      }
    }
    const stream = followFrames(frames(), planSearches(true, 1), follower, async ({ index }, scope) => {
      if (scope.depth !== 'aimed') {
        return index === 0 ? [found('license-plate', placeIn(0), 0.3), ...others] : others;
      }
      aimed.push(index);
      const isNear = intersectionOverSmaller(scope.expected[0]!.box, placeIn(index)) > 0.5;
      return isSeenWhenAimedAt && isNear
        ? [found('license-plate', placeIn(index), index < 9 ? 0.3 : 0.6)]
        : [];
    });
    const hidden: number[] = [];
    for await (const settled of stream) {
      hidden.push(
        ...settled.filter(({ detections }) => detections.length > 0).map(({ frame }) => frame.index),
      );
    }
    expect(aimed[0]).toBe(1);
    return hidden;
  };

  it('is searched at its predicted place in each frame without a detection', async () => {
    expect(await hiddenFrom(true)).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
    expect(await hiddenFrom(false)).toEqual([]);
  });

  it('is also searched there if a reading of the whole frame as a plate contains that place', async () => {
    const scene = found('license-plate', boxOf(0, 0, SIZE.width, SIZE.height), 0.3);
    expect(await hiddenFrom(true, [scene])).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
  });
});

describe('frames with tracking', () => {
  it('are searched with predictions of the current tracks', async () => {
    const { expected } = await follow(() => 0);
    const [one, ...others] = expected.get(12)!;
    expect(others).toEqual([]);
    expect(one!.objectClass).toBe('license-plate');
    expect(Math.abs(one!.box.x1 - placeIn(12).x1)).toBeLessThan(2);
    expect(expected.get(0)).toEqual([]);
  });

  it('give the same result in order, whichever search ends first', async () => {
    const even = await follow(() => 0);
    expect(even.settled).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
    expect(await follow((index) => [9, 0, 3][index % 3]!)).toEqual(even);
    expect(await follow((index) => (index % 4 === 2 ? 12 : 0))).toEqual(even);
  });

  it('are not searched if the schedule leaves them out', async () => {
    const { expected, settled } = await follow(() => 0, 3);
    expect([...expected.keys()]).toEqual([0, 3, 6, 9, 12, 15]);
    expect(settled).toHaveLength(FRAMES);
  });
});
