import { expect, it } from 'vitest';
import { apertureIn, readSampleEntry } from './mp4-sample-entry';

const u32 = (...values: readonly number[]): number[] =>
  values.flatMap((value) => [24, 16, 8, 0].map((shift) => (value >> shift) & 0xff));
const box = (type: string, ...content: readonly number[]): number[] => [
  ...u32(content.length + 8),
  ...Array.from(type, (character) => character.charCodeAt(0)),
  ...content,
];
const described = (...boxes: readonly number[]) => {
  const bytes = Uint8Array.from([...u32(0, 1), ...box('hvc1', ...Array<number>(78).fill(0), ...boxes)]);
  return readSampleEntry(bytes, { type: 'stsd', start: 0, end: bytes.length });
};
const clap = (...numbers: readonly number[]): number[] => box('clap', ...u32(...numbers));
const CODED = { width: 1920, height: 1088 };
const shown = (...numbers: readonly number[]) => apertureIn(CODED, described(...clap(...numbers)).aperture);

it('a clean aperture is a part of the frame around a moved centre', () => {
  expect(shown(1920, 1, 1080, 1, 0, 1, -8, 2)).toEqual({ left: 0, top: 0, width: 1920, height: 1080 });
  expect(shown(3200, 2, 900, 1, 10, 1, 0, 1)).toEqual({ left: 170, top: 94, width: 1600, height: 900 });
});

it('an aperture that is no part of the frame, or not of whole px, is ignored', () => {
  for (const numbers of [
    [1921, 1, 1080, 1, 0, 1, 0, 1],
    [1920, 1, 1080, 1, 0, 1, 100, 1],
    [1919, 1, 1080, 1, 0, 1, 0, 1],
    [0, 1, 0, 1, 0, 1, 0, 1],
    [1920, 0, 1080, 0, 0, 0, 0, 0],
  ]) {
    expect(shown(...numbers)).toBeUndefined();
  }
  expect(apertureIn(CODED, described().aperture)).toBeUndefined();
  expect(apertureIn(CODED, described(...box('clap', 0, 0, 0)).aperture)).toBeUndefined();
});

it('a second view is announced by the configuration of its layer', () => {
  expect(described(...box('lhvC', 1)).hasSecondView).toBe(true);
  expect(described(...box('hvcC', 1)).hasSecondView).toBe(false);
});

it('a damaged description says nothing', () => {
  const bytes = Uint8Array.from(u32(0, 1, 3));
  expect(readSampleEntry(bytes, { type: 'stsd', start: 0, end: bytes.length })).toEqual({
    hasSecondView: false,
  });
});
