import { expect, it, vi } from 'vitest';
import type { GivenSource } from '#shared/ports/host-engine';
import { createGivenFiles } from './given-files';

const source: GivenSource['source'] = { sizeBytes: 1, read: async () => Uint8Array.of(1) };
const given = (filename: string, rest: Partial<GivenSource> = {}): GivenSource => ({
  ...{ kind: 'image', filename, source, sha256: 'a' },
  ...rest,
});

it('a file that lists the images of a folder is read once for all of them', async () => {
  const list = vi.fn(async () => []);
  const files = createGivenFiles(list);
  await Promise.all(['a.jpg', 'b.jpg', 'c.jpg'].map((name) => files(given(name))));
  expect(list).toHaveBeenCalledTimes(1);
  await files(given('a.jpg', { sha256: 'b' }));
  await files(given('a.jpg', { sha256: 'b', hasAreas: true }));
  expect(list).toHaveBeenCalledTimes(3);
});

it('a file that nobody has used for a minute is not kept', async () => {
  vi.useFakeTimers();
  try {
    const list = vi.fn(async () => []);
    const files = createGivenFiles(list);
    await files(given('a.jpg'));
    vi.advanceTimersByTime(61_000);
    await files(given('a.jpg'));
    expect(list).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
