import { describe, expect, it } from 'vitest';
import type { VideoFrame } from '../../ports/video';
import { createRaster } from '../../testing/rasters';
import { planSearches, scheduleSearches, type SearchDepth } from './search-schedule';

const [WIDTH, HEIGHT] = [96, 54];
/** Two scenes: night that is lighter to the right, and day that is lighter below. */
const DARK = createRaster(WIDTH, HEIGHT, (x) => [x, x, x]);
const LIGHT = createRaster(WIDTH, HEIGHT, (_, y) => [100 + 2 * y, 100 + 2 * y, 100 + 2 * y]);

interface Circumstances {
  readonly frameUs?: number;
  /** First frame of another scene. */
  readonly cutAt?: number;
  readonly isFollowed?: boolean;
}

const depths = async (
  count: number,
  detectEvery: number,
  { frameUs = 20_000, cutAt = Infinity, isFollowed = true }: Circumstances = {},
): Promise<SearchDepth[]> => {
  async function* frames(): AsyncGenerator<VideoFrame> {
    for (let index = 0; index < count; index++) {
      const raster = index < cutAt ? DARK : LIGHT;
      yield { index, timestampUs: index * frameUs, durationUs: frameUs, raster };
    }
  }
  const found: SearchDepth[] = [];
  const plan = planSearches(isFollowed, detectEvery);
  for await (const { frame, depth } of scheduleSearches(frames(), plan)) {
    expect(frame.index).toBe(found.length);
    found.push(depth);
  }
  expect(found).toHaveLength(count);
  return found;
};
const searched = async (...args: Parameters<typeof depths>): Promise<number[]> =>
  (await depths(...args)).flatMap((depth, index) => (depth === 'none' ? [] : [index]));
const wholly = async (...args: Parameters<typeof depths>): Promise<number[]> =>
  (await depths(...args)).flatMap((depth, index) => (depth === 'whole' ? [index] : []));

describe('of the frames of a video', () => {
  it('all are searched by default, and completely without tracking', async () => {
    expect(await searched(5, 1)).toEqual([0, 1, 2, 3, 4]);
    for (const every of [1, 3]) {
      expect(await wholly(5, every, { isFollowed: false })).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it('those searched completely are at most an eighth of a second apart', async () => {
    expect(await wholly(8, 1, { frameUs: 40_000 })).toEqual([0, 3, 6, 7]);
    expect(await wholly(8, 1, { frameUs: 60_000 })).toEqual([0, 2, 4, 6, 7]);
    expect(await wholly(4, 1, { frameUs: 130_000 })).toEqual([0, 1, 2, 3]);
  });

  it('every Nth is searched, and always the first and the last', async () => {
    expect(await searched(9, 3)).toEqual([0, 3, 6, 8]);
    expect(await searched(7, 3)).toEqual([0, 3, 6]);
    expect(await searched(2, 4)).toEqual([0, 1]);
    expect(await searched(1, 4)).toEqual([0]);
    expect(await searched(0, 4)).toEqual([]);
  });

  it('the last before a cut and the first after it are searched, because no track crosses it', async () => {
    expect(await searched(12, 4, { cutAt: 6 })).toEqual([0, 4, 5, 6, 10, 11]);
  });

  it('no two searched ones are farther apart than an object with one hit coasts', async () => {
    expect(await searched(7, 30, { frameUs: 60_000 })).toEqual([0, 2, 4, 6]);
    expect(await searched(4, 30, { frameUs: 100_000 })).toEqual([0, 1, 2, 3]);
    expect(await searched(4, 30, { frameUs: 500_000 })).toEqual([0, 1, 2, 3]);
  });
});
