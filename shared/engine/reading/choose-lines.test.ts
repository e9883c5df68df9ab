import { describe, expect, it } from 'vitest';
import type { Corners, Detection } from '../../domain/detection';
import { defaultImageOptions } from '../../domain/options';
import { fakeSessions, modelEntry } from '../../testing/fake-models';
import { createRaster } from '../../testing/rasters';
import { createPyramid } from '../pixels/pyramid';
import { chooseLines } from './choose-lines';
import { ALPHABET } from '../../domain/read-text';

const READER = modelEntry('text-reader', 'text-reader', []);
const CLASSES = ALPHABET.length + 2;

const line = (top: number, changed: Partial<Detection> = {}): Detection => {
  const corners: Corners = [
    [10, top],
    [110, top],
    [110, top + 20],
    [10, top + 20],
  ];
  return {
    ...{ objectClass: 'text', score: 0.9, box: { x1: 10, y1: top, x2: 110, y2: top + 20 }, corners },
    ...changed,
  } as Detection;
};

/** What the network says of a line on which this is written. */
const scoresOf = (text: string, score: number): Float32Array => {
  const scores = new Float32Array(2 * text.length * CLASSES);
  [...text].forEach((letter, i) => {
    const at = ALPHABET.indexOf(letter);
    scores[2 * i * CLASSES + (at < 0 ? CLASSES - 1 : at + 1)] = score;
    scores[(2 * i + 1) * CLASSES] = 1; // a blank between letters
  });
  return scores;
};

/** @param back what is written the other way round */
const choose = (detections: readonly Detection[], text: string, score = 0.95, back = '') => {
  let turn = 0;
  const reads = (): string => [text, back][turn++ % 2]!;
  return chooseLines(detections, {
    pyramid: createPyramid(createRaster(160, 120, () => [255, 255, 255])),
    options: defaultImageOptions({ classes: ['text'], textMatch: 'email' }),
    manifest: { models: [READER] } as unknown as Parameters<typeof chooseLines>[1]['manifest'],
    sessions: fakeSessions({
      'text-reader': () => {
        const read = reads();
        return [{ data: scoresOf(read, score), dims: [1, 2 * read.length, CLASSES] }];
      },
    }),
    signal: new AbortController().signal,
  });
};

describe('a line of text stays visible', () => {
  it('if it was read and is none that is to be hidden', async () => {
    const one = line(10);
    expect([...(await choose([one], 'Opening hours'))]).toEqual([one]);
    expect([...(await choose([one], 'lee@example.com'))]).toEqual([]);
  });

  it('not if it could not be read well', async () => {
    expect([...(await choose([line(10)], 'Opening hours', 0.5))]).toEqual([]);
    expect([...(await choose([line(10)], ''))]).toEqual([]);
  });

  it('not if it is one that is to be hidden when it is read the other way round', async () => {
    expect([...(await choose([line(10)], 'Opening hours', 0.95, 'lee@example.com'))]).toEqual([]);
    const one = line(10);
    expect([...(await choose([one], 'Opening hours', 0.95, 'Exit'))]).toEqual([one]);
  });

  it('not if its place in the image is not known, or if it is no text', async () => {
    const { corners: _unknown, ...placeless } = line(10);
    const others = [placeless, line(40, { whole: line(40).box })];
    expect([...(await choose([...others, line(70, { objectClass: 'license-plate' })], 'Exit'))]).toEqual([]);
  });
});

describe('an image whose text is to be read fails', () => {
  const reading = {
    pyramid: createPyramid(createRaster(160, 120, () => [255, 255, 255])),
    options: defaultImageOptions({ classes: ['text'], textMatch: 'email' }),
    signal: new AbortController().signal,
  };

  it('if there is no reader', async () => {
    const manifest = { models: [] } as unknown as Parameters<typeof chooseLines>[1]['manifest'];
    const work = chooseLines([line(10)], { ...reading, manifest, sessions: fakeSessions({}) });
    await expect(work).rejects.toThrow('no reader of text');
  });

  it('if the reader does not load, or ends while it reads', async () => {
    const manifest = { models: [READER] } as unknown as Parameters<typeof chooseLines>[1]['manifest'];
    const damaged = { ...fakeSessions({}), get: () => Promise.reject(new Error('damaged')) };
    await expect(chooseLines([line(10)], { ...reading, manifest, sessions: damaged })).rejects.toThrow(
      'damaged',
    );
    const full = fakeSessions({
      'text-reader': () => {
        throw new RangeError('out of memory');
      },
    });
    await expect(chooseLines([line(10)], { ...reading, manifest, sessions: full })).rejects.toThrow(
      'out of memory',
    );
  });
});
