import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { system } from './system';

const digestOf = async (pieces: readonly Uint8Array[]): Promise<string> => {
  const running = system.startSha256();
  for (const piece of pieces) running.update(piece);
  return running.digest();
};
const nodeDigestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 7919) >> 3);

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('the SHA-256 of "%s" is the one that NIST publishes', async (text, expected) => {
  expect(await digestOf([new TextEncoder().encode(text)])).toBe(expected);
});

it('a message of any length around the borders of blocks has the digest that Node computes', async () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = bytesOf(length);
    expect(await digestOf([bytes]), `${length} bytes`).toBe(nodeDigestOf(bytes));
  }
});

it('the digest does not depend on how the bytes are divided', async () => {
  const bytes = bytesOf(1000);
  const expected = nodeDigestOf(bytes);
  for (let size = 1; size < 140; size += 1) {
    const pieces = Array.from({ length: Math.ceil(1000 / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(await digestOf(pieces), `pieces of ${size}`).toBe(expected);
  }
});

it('a piece that is a part of a larger buffer is read from its own start', async () => {
  const bytes = bytesOf(300).subarray(13, 257);
  expect(await digestOf([bytes])).toBe(nodeDigestOf(bytes));
});
