import { expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS } from '#shared/domain/bag';
import { LIMITS } from '#shared/domain/limits';
import { memorySource } from '#shared/testing/memory-target';
import { expectHiddenVideo } from '#shared/testing/video-bag';
import { openBagCodec } from './bag-codec';
import { loadZstd } from './bag-zstd';
import { imageCodec } from './image-codec';

const SIGNAL = new AbortController().signal;

it('the page hides each frame of H.264 as the command does, also without an encoder of constant quality', async () => {
  const codec = await openBagCodec();
  const request = { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: imageCodec };
  await expectHiddenVideo((bytes) => codec.open(memorySource(bytes), request, SIGNAL), 'h264');
});

it('the page compresses with Zstandard, and notices damage', async () => {
  const { pack, unpack } = await loadZstd();
  // More than the memory that it begins with.
  const bytes = Uint8Array.from({ length: 20_000_000 }, (_, at) => (at >> 4) % 251);
  const packed = pack(bytes);
  expect(packed.length).toBeLessThan(bytes.length / 10);
  const unpacked = unpack(packed, bytes.length);
  expect(unpacked.length).toBe(bytes.length);
  expect(unpacked.every((byte, at) => byte === bytes[at])).toBe(true);
  expect(() => unpack(new Uint8Array(40), 50)).toThrow('Zstandard failed');
  expect(() => unpack(packed, 50)).toThrow('Zstandard failed');
});
