import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { createRaster } from '#shared/testing/rasters';
import { encodeClip, framesOf, openClip, sourceOf, testedCodec } from '../testing/clips';
import { box, changeIndex, contentsOf, u32, type ChangeBox } from '../testing/mp4-surgery';

const BILLIONS = 4_000_000_000;
const SAMPLE_TABLE = 'moov/trak/mdia/minf/stbl';

const clip = (container: 'mp4' | 'mkv' = 'mp4'): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: 6 }, (_, index) => [
      index * 0.04,
      createRaster(32, 32, (x, y) => [(x * index) & 255, y * 8, 80]),
    ]),
    audio: [Array.from({ length: 12 }, (_, index) => Uint8Array.of(index, 1, 2))],
    container,
  });
const isUnreadable = (sentence: RegExp) =>
  expect.objectContaining({ name: 'UnreadableFile', message: expect.stringMatching(sentence) as string });
const refusal = (bytes: Uint8Array): Promise<unknown> =>
  framesOf(bytes).then(
    () => 'read',
    (error: unknown) => error,
  );
const withBox =
  (path: string, content: Uint8Array): ChangeBox =>
  (at) =>
    at === path ? content : undefined;
const nested = (levels: number): Uint8Array => {
  const header = Buffer.alloc(8 * levels);
  for (let level = 0; level < levels; level++) {
    header.writeUInt32BE(8 * (levels - level), level * 8);
    header.write('mdia', level * 8 + 4, 'latin1');
  }
  return header;
};
const reference = (type: string, flags: number, location: string): Uint8Array =>
  Buffer.concat([u32(0, 1), box(type, u32(flags), Buffer.from(location))]);

describe('a video with impossible values in its tables', () => {
  it.each([
    ['billions of frames in one run', 'stts', u32(0, 1, BILLIONS, 1), /limit/],
    ['billions of frames of one size', 'stsz', u32(0, 1, BILLIONS), /limit/],
    ['billions of sizes', 'stsz', u32(0, 0, BILLIONS), /structure is corrupt/],
    ['billions of entries', 'stts', u32(0, BILLIONS, 1, 1), /structure is corrupt/],
    ['billions of shifts', 'ctts', u32(0, BILLIONS, 1, 1), /structure is corrupt/],
    ['billions of chunks', 'stco', u32(0, BILLIONS), /structure is corrupt/],
    ['an incomplete table', 'stts', u32(0), /structure is corrupt/],
  ])('is refused before the tables are read: %s', async (_what, type, content, sentence) => {
    const path = `${SAMPLE_TABLE}/${type}`;
    const changed = changeIndex(await clip(), (at, before) => {
      if (at === path) return content;
      // A table that the clip does not have is added.
      const isMissing = at === SAMPLE_TABLE && !Buffer.from(before).includes(type, 0, 'latin1');
      return isMissing ? Buffer.concat([before, box(type, content)]) : undefined;
    });
    expect(await refusal(changed)).toEqual(isUnreadable(sentence));
  });

  it('is refused if a fragment claims billions of frames', async () => {
    const run = box('moof', box('traf', box('trun', u32(0, BILLIONS))));
    expect(await refusal(Buffer.concat([await clip(), run]))).toEqual(
      isUnreadable(/index that is too large/),
    );
  });

  it('is refused if its boxes are nested too deeply', async () => {
    const changed = changeIndex(await clip(), (path, content) =>
      path === 'moov/trak' ? Buffer.concat([content, nested(100_000)]) : undefined,
    );
    expect(await refusal(changed)).toEqual(isUnreadable(/structure is corrupt/));
  });

  it.each([2n ** 63n, 2n ** 63n - 1n, 2n ** 40n, 3n])('is refused if a box claims %i bytes', async (size) => {
    const huge = Buffer.alloc(16);
    huge.writeUInt32BE(1);
    huge.write('mdat', 4, 'latin1');
    huge.writeBigUInt64BE(size, 8);
    const bytes = await clip();
    const head = bytes.subarray(0, Buffer.from(bytes).readUInt32BE(0));
    expect(await refusal(Buffer.concat([head, huge, bytes.subarray(head.byteLength)]))).toEqual(
      isUnreadable(/truncated|corrupt/),
    );
  });

  it('is refused if it has more frames than the limit', async () => {
    for (const container of ['mp4', 'mkv'] as const) {
      const opened = testedCodec.open(sourceOf(await clip(container)), { ...LIMITS, maxVideoFrames: 5 });
      await expect(opened).rejects.toEqual(isUnreadable(/pictures/));
    }
  });
});

describe('a video with references to other media', () => {
  const DREF = 'moov/trak/mdia/minf/dinf/dref';

  it.each([
    ['an address', 'url ', 'http://127.0.0.1:1/video.mp4\0'],
    ['a file', 'url ', 'file:///etc/passwd\0'],
    ['an alias', 'alis', 'Macintosh HD:video.mov'],
  ])('is refused if its media are at %s', async (_what, type, location) => {
    const changed = changeIndex(await clip(), withBox(DREF, reference(type, 0, location)));
    expect(await refusal(changed)).toEqual(isUnreadable(/another file, which is never opened/));
  });

  it('is read if the reference is to the file itself', async () => {
    expect(contentsOf(await clip(), DREF)).toHaveLength(2);
    const changed = changeIndex(await clip(), withBox(DREF, reference('url ', 1, '')));
    expect(await framesOf(changed)).toHaveLength(6);
  });
});

/** A seeded generator, so that a failing file can be reproduced. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

describe('a video with random bytes changed', () => {
  it.each([
    ['mp4', 1],
    ['mkv', 2],
  ] as const)(
    'is either read or refused with a sentence: %s',
    async (container, seed) => {
      const whole = await clip(container);
      const random = createRandom(seed);
      const outcomes = { read: 0, refused: 0 };
      for (let round = 0; round < 200; round++) {
        const bytes = whole.slice();
        const flips = 1 + Math.floor(random() * 6);
        for (let flip = 0; flip < flips; flip++) {
          bytes[Math.floor(random() * bytes.byteLength)] = Math.floor(random() * 256);
        }
        const outcome = await refusal(bytes);
        if (outcome === 'read') outcomes.read++;
        else outcomes.refused++;
        if (outcome !== 'read') expect(outcome).toEqual(isUnreadable(/./));
      }
      expect(outcomes.read).toBeGreaterThan(20);
      expect(outcomes.refused).toBeGreaterThan(5);
    },
    30_000,
  );

  it('is closed after it was refused', async () => {
    const reader = await openClip(await clip());
    reader.close();
    await expect(
      reader.frames(new AbortController().signal)[Symbol.asyncIterator]().next(),
    ).rejects.toThrow();
  });
});
