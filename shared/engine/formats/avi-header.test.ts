import { expect, it } from 'vitest';
import { aviFile } from '../../testing/avi-file';
import { readAviHeader } from './avi-header';

const FILE = aviFile(
  Array.from({ length: 7 }, () => new Uint8Array(100)),
  { width: 32, height: 16, framesPerSecond: 10 },
);

it('says how many frames an AVI file should have, and whether it ends too early', () => {
  expect(readAviHeader(FILE, FILE.byteLength)).toEqual({ frames: 7, isCutOff: false });
  expect(readAviHeader(FILE, FILE.byteLength - 200)).toEqual({ frames: 7, isCutOff: true });
});

it('says nothing where a header is not there, cut off or no header at all', () => {
  const noise = Uint8Array.from(FILE, (value, at) => (at < 12 ? value : (at * 89) % 256));
  for (const head of [FILE.subarray(0, 120), FILE.subarray(0, 5), new Uint8Array(0), noise]) {
    expect(readAviHeader(head, FILE.byteLength)).toBeUndefined();
  }
});
