import { expect, it, vi } from 'vitest';
import { resultWith, stateWith } from '../../testing/items';
import { createCropCache } from './crop-cache';
import type { WantedCrop } from './crop-source';
import { rankUncertain } from './list-uncertain';

const BOX = { x1: 100, y1: 100, x2: 140, y2: 150 };
const { items } = stateWith({
  'a.jpg': resultWith(
    'task',
    Array.from({ length: 8 }, () => ({ objectClass: 'face', score: 0.5, box: BOX })),
  ),
});
const objects = rankUncertain(items);

/** A source whose crops are closed one by one. */
const createSource = () => {
  const wanted: WantedCrop[] = [];
  const closed = vi.fn();
  const crop = async (one: WantedCrop) => {
    wanted.push(one);
    return { close: closed } as unknown as ImageBitmap;
  };
  return { wanted, closed, crop: vi.fn(crop), close: vi.fn() };
};
const find = (id: string) => items.find((item) => item.id === id);

it('the crops of the next objects are made before they are in view, each once', async () => {
  const source = createSource();
  const onReady = vi.fn();
  const cache = createCropCache(source, find, onReady);
  cache.show(objects, 0);
  await expect.poll(() => onReady.mock.calls).toHaveLength(3);
  expect([0, 1, 2, 3].map((at) => cache.of(objects[at]!).main !== undefined)).toEqual([
    ...[true, true, true, false],
  ]);
  cache.show(objects, 1);
  await expect.poll(() => cache.of(objects[3]!).main).toBeDefined();
  expect(source.crop).toHaveBeenCalledTimes(4);
});

it('crops far from the object in view are closed, and all of them with the list', async () => {
  const source = createSource();
  const cache = createCropCache(source, find, () => undefined);
  cache.show(objects, 0);
  await expect.poll(() => cache.of(objects[2]!).main).toBeDefined();
  cache.show(objects, 5);
  await expect.poll(() => source.closed.mock.calls).toHaveLength(3);
  await expect.poll(() => cache.of(objects[7]!).main).toBeDefined();
  cache.close();
  await expect.poll(() => source.closed.mock.calls).toHaveLength(6);
  expect(source.close).toHaveBeenCalledOnce();
});

it('a file that the browser cannot show has no bitmap, and its objects can be decided', async () => {
  const source = { ...createSource(), crop: () => Promise.reject(new Error('unknown format')) };
  const cache = createCropCache(source, find, () => undefined);
  cache.show(objects, 0);
  await expect.poll(() => cache.of(objects[0]!).main?.bitmap).toBeNull();
});
