import { describe, expect, it } from 'vitest';
import { createChunkCoding } from '#shared/media/mcap/chunk-coding';
import { crc32 } from '#shared/engine/formats/bytes';
import { loadZstd } from './bag-zstd';

const BYTES = new TextEncoder().encode('a message of a robot '.repeat(500));

describe('a chunk with Zstandard', () => {
  const coding = createChunkCoding(loadZstd);
  const chunkOf = async (changes = {}) => ({
    ...{ sizeBytes: BYTES.length, crc: crc32(BYTES), compression: 'zstd' },
    packed: await coding.pack(BYTES, 'zstd'),
    ...changes,
  });

  it('becomes smaller, and is the same when it is unpacked', async () => {
    const chunk = await chunkOf();
    expect(chunk.packed.length).toBeLessThan(BYTES.length / 20);
    expect(Buffer.compare(await coding.unpack(chunk), BYTES)).toBe(0);
  });

  it.each<readonly [string, object, RegExp]>([
    ['has a larger size than it states', { sizeBytes: 50 }, /cannot be decompressed/],
    ['has a smaller size than it states', { sizeBytes: BYTES.length + 1 }, /another size/],
    ['claims too much memory', { sizeBytes: 4 * 1024 ** 3 }, /claims a chunk of 4294967296 bytes/],
    ['is damaged', { packed: new Uint8Array(40) }, /cannot be decompressed/],
    ['has a wrong checksum', { crc: 1 }, /checksum of a chunk/],
  ])('that %s is refused', async (_name, changes, expected) => {
    await expect(coding.unpack(await chunkOf(changes))).rejects.toThrow(expected);
  });
});

it('a host without Zstandard says so', async () => {
  const chunk = { sizeBytes: 1, crc: 0, compression: 'zstd', packed: Uint8Array.of(1) };
  await expect(createChunkCoding(undefined).unpack(chunk)).rejects.toThrow('only lz4 is read here');
});
