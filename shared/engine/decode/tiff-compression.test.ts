import { expect, it } from 'vitest';
import { TIFF_COMPRESSION } from '../formats/images/tiff-layout';
import { unpack } from './tiff-compression';

const { deflate, lzw, none, packBits } = TIFF_COMPRESSION;

it.each([deflate, lzw, packBits])(
  'a segment of compression %i is refused before it takes memory that no image of its length needs',
  (compression) => {
    expect(() => unpack(new Uint8Array(1_000), compression, 2 ** 40)).toThrow('The image is damaged');
  },
);

it('a segment that is not packed is read from the file itself', () => {
  const file = new Uint8Array(100).fill(7);
  expect(unpack(file.subarray(10, 90), none, 60).buffer).toBe(file.buffer);
});
