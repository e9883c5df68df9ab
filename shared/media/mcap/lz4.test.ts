import { expect, it } from 'vitest';
import { packLz4, unpackLz4 } from './lz4';

/** Numbers that look random, the same in each run. */
const noise = (length: number, values = 256): Uint8Array => {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % values;
  });
};

const NOISE = noise(7000);
const MIXED = new Uint8Array(100_000).map((_, at) => (at % 7000 < 3000 ? 5 : NOISE[at % 7000]!));

it.each<readonly [string, Uint8Array]>([
  ['nothing', new Uint8Array(0)],
  ['one byte', Uint8Array.of(7)],
  ['12 equal bytes', new Uint8Array(12).fill(3)],
  ['13 equal bytes', new Uint8Array(13).fill(3)],
  ['a long run', new Uint8Array(70_000).fill(9)],
  ['noise', noise(70_000)],
  ['noise of two values', noise(70_000, 2)],
  ['runs among noise', MIXED],
  ['more than a block', new Uint8Array(4 * 1024 ** 2 + 3).map((_, at) => at >> 8)],
])('%s is the same after packing and unpacking', (_name, bytes) => {
  expect(Buffer.compare(Buffer.from(unpackLz4(packLz4(bytes), bytes.length)), Buffer.from(bytes))).toBe(0);
});

it('what repeats becomes smaller, and what does not hardly larger', () => {
  expect(packLz4(new Uint8Array(70_000)).length).toBeLessThan(400);
  expect(packLz4(noise(70_000)).length).toBe(70_000 + 15);
});

it('a frame with checksums, its size and linked blocks is read', () => {
  // By hand, from the description of the format: version 1, block checksums, content size and checksum.
  const head = [0x04, 0x22, 0x4d, 0x18, 0x5c, 0x40, 12, 0, 0, 0, 0, 0, 0, 0, 0x00];
  // The first block has "veil", the second one repeats it by a match that reaches into the first one.
  const first = [5, 0, 0, 0, 0x40, 0x76, 0x65, 0x69, 0x6c, 0, 0, 0, 0];
  const second = [5, 0, 0, 0, 0x00, 4, 0, 0x40, 0x21, 0, 0, 0, 0];
  const third = [3, 0, 0, 0x80, 0x21, 0x21, 0x21, 0, 0, 0, 0];
  const frame = Uint8Array.from([
    ...head,
    ...first,
    ...second.slice(0, 4),
    0x00,
    4,
    0,
    0x10,
    0x21,
    ...[0, 0, 0, 0],
  ]);
  const whole = Uint8Array.from([...frame, ...third, 0, 0, 0, 0, 1, 2, 3, 4]);
  expect(new TextDecoder().decode(unpackLz4(whole, 12))).toBe('veilveil!!!!');
});

it.each<readonly [string, readonly number[]]>([
  ['has no magic', [1, 2, 3, 4, 0x60, 0x70, 0x73, 0, 0, 0, 0]],
  ['ends early', [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73, 9, 0, 0, 0, 1]],
  ['has no end', [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73]],
  [
    'reaches before its beginning',
    [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73, 4, 0, 0, 0, 0x10, 65, 9, 0, 0, 0, 0, 0],
  ],
  [
    'holds more than its size',
    [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73, 9, 0, 0, 0x80, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0],
  ],
])('a frame that %s is refused', (_name, frame) => {
  expect(() => unpackLz4(Uint8Array.from(frame), 4)).toThrow('cannot be decompressed');
});
