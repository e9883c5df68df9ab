import { expect, it } from 'vitest';
import { createCvatWriter } from './cvat';
import type { ExportedObject } from './exported-frame';

const object = (track?: number): ExportedObject => ({
  ...{ id: 0, class: 'face', score: 0.5, bbox: [1, 2, 3, 4], hidden: true },
  ...(track !== undefined && { track }),
});

/** The tracks of a video whose frames have objects of these tracks. */
const tracksOf = (frames: readonly (readonly (number | undefined)[])[]): string[][] => {
  const writer = createCvatWriter();
  for (const [frame, tracks] of frames.entries()) {
    writer.add({ file: 'a.mp4', frame, time: 0, width: 9, height: 9, objects: tracks.map(object) });
  }
  const text = [...writer.end()].join('');
  return text
    .split('<track ')
    .slice(1)
    .map((track) =>
      [...track.matchAll(/frame="(\d+)" outside="(\d)"/g)].map(([, at, out]) => `${at} ${out}`),
    );
};

it('a track is outside behind each gap and behind its end, and not behind the last frame', () => {
  expect(tracksOf([[7], [7], [], [], [7], []])).toEqual([['0 0', '1 0', '2 1', '4 0', '5 1']]);
  expect(tracksOf([[], [7]])).toEqual([['1 0']]);
});

it('objects without a track have tracks of one frame', () => {
  expect(tracksOf([[undefined, 3], [undefined]])).toEqual([['0 0', '1 1'], ['0 0', '1 1'], ['1 0']]);
});

it('a video without frames has a file without tracks', () => {
  expect([...createCvatWriter().end()].join('')).toMatch(/^<\?xml [^]*<\/annotations>\n$/);
});
