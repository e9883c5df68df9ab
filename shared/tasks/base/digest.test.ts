import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFakeSystem } from '../../testing/fake-system';
import { createRunningDigest, digestPieces } from './digest';

const MIB = 1024 ** 2;

it.each([0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB + 5])(
  'a file of %i bytes has one digest, hashed while it is written or read afterwards',
  async (sizeBytes) => {
    const bytes = Uint8Array.from({ length: sizeBytes }, (_, at) => at % 251);
    const readPart = async (start: number, end: number): Promise<Uint8Array> => bytes.slice(start, end);
    const running = createRunningDigest(() => createHash('sha256'));
    // Of a length that divides no piece.
    for (let at = 0; at < sizeBytes; at += 300_007) running.update(bytes.subarray(at, at + 300_007));
    expect(running.digest()).toBe(await digestPieces({ sizeBytes, readPart }, createFakeSystem()));
  },
);
