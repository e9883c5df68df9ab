import { expect, it } from 'vitest';
import { readAsfHeader } from './stated-length';

const HEADER_ID = '3026b2758e66cf11a6d900aa0062ce6c';
const OTHER_ID = 'b503bf5f2ea9cf118ee300c00c205365';
const PROPERTIES_ID = 'a1dcab8c47a9cf118ee400c00c205365';
const FILE_BYTES = 5_000;

const object = (id: string, content: Uint8Array): Uint8Array => {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(24 + content.length), true);
  return Uint8Array.from([...Buffer.from(id, 'hex'), ...size, ...content]);
};
/** Four seconds, and a preroll of one. */
const properties = (flags = 2): Uint8Array => {
  const content = new Uint8Array(80);
  const view = new DataView(content.buffer);
  view.setBigUint64(16, BigInt(FILE_BYTES), true);
  view.setBigUint64(40, 50_000_000n, true);
  view.setBigUint64(56, 1_000n, true);
  view.setUint32(64, flags, true);
  return object(PROPERTIES_ID, content);
};
const file = (...objects: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from([
    ...Buffer.from(HEADER_ID, 'hex'),
    ...new Uint8Array(14),
    ...objects.flatMap((one) => [...one]),
  ]);

it('the duration of an ASF file is read without its preroll', () => {
  expect(readAsfHeader(file(object(OTHER_ID, new Uint8Array(20)), properties()), FILE_BYTES)).toEqual({
    durationS: 4,
    isCutOff: false,
  });
});

it('an ASF file that is shorter than its header states is cut off', () => {
  expect(readAsfHeader(file(properties()), FILE_BYTES - 1)?.isCutOff).toBe(true);
});

it('an ASF file without properties, of a live stream or with an empty object states nothing', () => {
  const endless = object(OTHER_ID, new Uint8Array(90)).fill(0, 16, 24);
  for (const head of [
    file(),
    file(properties(1)),
    file(endless, properties()),
    file(properties()).subarray(0, 60),
  ]) {
    expect(readAsfHeader(head, FILE_BYTES)).toBeUndefined();
  }
});
