import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS, type BagOptions } from '#shared/domain/bag';
import { LIMITS } from '#shared/domain/limits';
import { createBagCodec } from '#shared/media/mcap/bag-codec';
import type { BagReader } from '#shared/ports/bag';
import type { ImageCodec } from '#shared/ports/codec';
import { memorySource } from '#shared/testing/memory-target';
import {
  expectHiddenVideo,
  expectLevels,
  hideCorners,
  shownLevels,
  VIDEO_KEY_EVERY,
  VIDEO_LOST,
  videoBag,
} from '#shared/testing/video-bag';
import { holdWebCodecs } from './video-backend';

const SIGNAL = new AbortController().signal;

let release: () => void;
beforeAll(async () => {
  release = await holdWebCodecs();
});
afterAll(() => release());

const open = (bytes: Uint8Array, options: Partial<BagOptions> = {}): Promise<BagReader> =>
  createBagCodec({ loadVideo: holdWebCodecs }).open(
    memorySource(bytes),
    { options: { ...DEFAULT_BAG_OPTIONS, ...options }, limits: LIMITS, codec: {} as ImageCodec },
    SIGNAL,
  );

it.each(['h264', 'h265'] as const)(
  'each frame of %s is hidden and becomes H.264; what nobody can decode is left out and counted',
  (coding) => expectHiddenVideo(open, coding),
);

it('a part of a video begins with a key frame of its own', async () => {
  const [startS, endS] = [0.04 * (VIDEO_LOST + 3), 0.04 * (VIDEO_LOST + 10)];
  const reader = await open(await videoBag('h264'), { startS, endS });
  expect(reader.facts.topics).toMatchObject([{ frames: 7 }]);
  const copy = await open(await hideCorners(reader));
  expect(copy.facts).toMatchObject({ topics: [{ frames: 7 }], lostFrames: 0 });
  expectLevels(await shownLevels(copy), 20 + 10 * (VIDEO_KEY_EVERY + 3), 255);
});

it('a host without WebCodecs names the topic', async () => {
  const request = { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: {} as ImageCodec };
  await expect(createBagCodec().open(memorySource(await videoBag('h264')), request, SIGNAL)).rejects.toThrow(
    /"\/video" cannot be anonymised: .*@napi-rs\/webcodecs/,
  );
});

it('a list shows the first frame of a video that can be decoded', async () => {
  const sizes: number[] = [];
  const codec: Partial<ImageCodec> = {
    encodeLossy: async (_format, { width }) => {
      sizes.push(width);
      return Uint8Array.of(1);
    },
  };
  const { topics } = await createBagCodec({ loadVideo: holdWebCodecs }).list(
    memorySource(await videoBag('h264')),
    { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: codec as ImageCodec },
    SIGNAL,
  );
  expect(topics).toMatchObject([{ name: '/video', kind: 'images', format: 'h264' }]);
  expect(sizes).toEqual([64]);
});
