import { expect, it } from 'vitest';
import { aviFile } from '../../testing/avi-file';
import { readAviHeader } from './stated-length';

const FILE = aviFile(
  Array.from({ length: 7 }, () => new Uint8Array(100)),
  { width: 32, height: 16, framesPerSecond: 10 },
);

it('an AVI header gives the number of frames, and whether the file is truncated', () => {
  expect(readAviHeader(FILE, FILE.byteLength)).toEqual({ frames: 7, isCutOff: false });
  expect(readAviHeader(FILE, FILE.byteLength - 200)).toEqual({ frames: 7, isCutOff: true });
});

it('a missing, truncated or invalid AVI header gives nothing', () => {
  const noise = Uint8Array.from(FILE, (value, at) => (at < 12 ? value : (at * 89) % 256));
  for (const head of [FILE.subarray(0, 120), FILE.subarray(0, 5), new Uint8Array(0), noise]) {
    expect(readAviHeader(head, FILE.byteLength)).toBeUndefined();
  }
});
