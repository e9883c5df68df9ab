import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { randomCases } from '#shared/testing/random-cases';
import { createRaster } from '#shared/testing/rasters';
import { encodeClip, framesOf, openClip, sourceOf, testedCodec } from '../testing/clips';
import { changeElements, element } from '../testing/matroska-surgery';
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
const nestedElements = (levels: number): Uint8Array =>
  Array.from({ length: levels }).reduce<Uint8Array>((inner) => element('67c8', inner), new Uint8Array());
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
    ['billions of sizes of no bits', 'stz2', u32(0, 0, BILLIONS), /structure is corrupt/],
    [
      'billions of chunks without a position',
      'stsc',
      u32(0, 2, 1, 1, 1, BILLIONS, 1, 1),
      /structure is corrupt/,
    ],
    ['billions of samples in a chunk', 'stsc', u32(0, 1, 1, BILLIONS, 1), /index that is too large/],
    ['more frames than bytes', 'stsz', u32(0, 1, 100_000), /index that is too large/],
    ['more shifts than bytes', 'ctts', u32(0, 1, 100_000, 1), /index that is too large/],
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

  it('is refused if a fragment claims more frames than the file has bytes for', async () => {
    const sizes = box('tfhd', u32(0x10, 1, 1));
    const run = box('moof', box('traf', sizes, box('trun', u32(0, 100_000))));
    expect(await refusal(Buffer.concat([await clip(), run]))).toEqual(
      isUnreadable(/index that is too large/),
    );
  });

  it('is refused if it has more edits, boxes or fragments than any camera or editor writes', async () => {
    const many = (count: number, part: Uint8Array) => Buffer.concat(Array<Uint8Array>(count).fill(part));
    const edits = box('edts', box('elst', u32(0, 2_000), many(2_000, u32(1, 0, 65_536))));
    const whole = await clip();
    for (const changed of [
      changeIndex(whole, (path, content) =>
        path === 'moov/trak' ? Buffer.concat([content, edits]) : undefined,
      ),
      changeIndex(whole, (path, content) =>
        path === 'moov' ? Buffer.concat([content, many(30_000, box('udta'))]) : undefined,
      ),
      Buffer.concat([whole, many(2_000, box('free'))]),
      Buffer.concat([whole, many(3_000, box('moof', box('mfhd', u32(0, 1))))]),
    ]) {
      expect(await refusal(changed)).toEqual(isUnreadable(/index that is too large/));
    }
  });

  it.each([
    ['a table in metadata', 'moov', box('udta', box('meta', u32(0), box('stts', u32(0, 0))))],
    ['positions of fragments in the index', 'moov', box('mfra', box('tfra', u32(0, 1, 0, 0)))],
    ['a second table', SAMPLE_TABLE, box('stts', u32(0, 0))],
    ['a track in a track', 'moov/trak', box('trak')],
  ])('is refused if a box has another place than its own: %s', async (_what, where, added) => {
    const changed = changeIndex(await clip(), (path, content) =>
      path === where ? Buffer.concat([content, added]) : undefined,
    );
    expect(await refusal(changed)).toEqual(isUnreadable(/structure is corrupt/));
  });

  it('is refused if it is encrypted', async () => {
    const bytes = Buffer.from(await clip());
    bytes.write('encv', bytes.indexOf('avc1', bytes.indexOf('stsd')), 'latin1');
    expect(await refusal(bytes)).toEqual(isUnreadable(/encrypted/));
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
      await expect(opened).rejects.toEqual(isUnreadable(/frames/));
    }
  });
});

describe('a Matroska video with impossible structures', () => {
  const SEGMENT = '18538067';
  const block = (flags: number, ...data: readonly number[]): Uint8Array =>
    element('a3', Uint8Array.of(0x81, 0, 0, flags, ...data));
  const cluster = (...content: readonly Uint8Array[]): Uint8Array =>
    element('1f43b675', element('e7', Uint8Array.of(1)), ...content);
  const many = (count: number, part: Uint8Array): Uint8Array =>
    Buffer.concat(Array<Uint8Array>(count).fill(part));
  const step = element('6240', element('5034', element('4255', new Uint8Array(100))));
  const track = element('ae', element('d7', Uint8Array.of(9)));

  it.each([
    ['blocks of more frames than bytes', SEGMENT, cluster(block(0x84, 255)), /structure is corrupt/],
    ['endless frames in blocks', SEGMENT, cluster(many(15_000, block(0x84, 1, 1, 1))), /index that is too/],
    ['clusters that are nearly empty', SEGMENT, many(3_000, cluster(block(0x80, 1))), /index that is too/],
    ['clusters without blocks', SEGMENT, many(2_000, cluster()), /index that is too large/],
    ['elements in clusters that are no blocks', SEGMENT, cluster(many(100, element('ec'))), /index that is/],
    ['cue points among the tracks', '1654ae6b', element('bb'), /structure is corrupt/],
    ['seek entries among the tracks', '1654ae6b', element('4dbb'), /structure is corrupt/],
    ['hundreds of tracks', '1654ae6b', many(300, track), /index that is too large/],
    ['bytes that each block begins with', 'ae', element('6d80', step), /index that is too large/],
    ['tags in one another', SEGMENT, element('1254c367', nestedElements(50)), /structure is corrupt/],
  ])('is refused: %s', async (_what, where, added, sentence) => {
    const changed = changeElements(await clip('mkv'), (id, content) =>
      id === where ? Buffer.concat([content, added]) : undefined,
    );
    expect(await refusal(changed)).toEqual(isUnreadable(sentence));
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

const ROUNDS = randomCases(200);

describe('a video with random bytes changed', () => {
  it.each([
    ['mp4', 1],
    ['mkv', 2],
  ] as const)('is either read or refused with a sentence: %s', async (container, seed) => {
    const whole = await clip(container);
    const random = createRandom(seed);
    const outcomes = { read: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
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
    expect(outcomes.read).toBeGreaterThan(ROUNDS / 10);
    expect(outcomes.refused).toBeGreaterThan(ROUNDS / 40);
  });

  it('is closed after it was refused', async () => {
    const reader = await openClip(await clip());
    reader.close();
    await expect(
      reader.frames(new AbortController().signal)[Symbol.asyncIterator]().next(),
    ).rejects.toThrow();
  });
});
