import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultImageOptions } from '#shared/domain/options';
import { createBatchFolder, type BatchFolder } from '../testing/batch-folder';
import { uncertainInImage } from './uncertain';

/** The fake engine gives all objects the score 0.9. */
const [NEAR, FAR] = ['0.75', '0.6'];
const MP4 = '\0\0\0\x18ftypisom and the rest'.padEnd(200);
const MANIFEST = '.veil-batch.jsonl';

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
});

const facesAbove = (threshold: string): string[] => [
  ...[at('in'), '-a', 'face', '--face-threshold', threshold],
  '--fail-on-uncertain',
];

describe('a run that fails on uncertain objects', () => {
  it('lists those of images and tracks whose score is near the threshold', async () => {
    write('in/a.jpg');
    write('in/b.mp4', MP4);
    const { outcome, of, end } = await run(facesAbove(NEAR));
    expect([outcome, end['uncertain']]).toEqual(['uncertain', 2]);
    const box = { type_label: 'face', score: expect.closeTo(0.9) };
    // Two at once, and either may end first.
    const done = of('done').toSorted((a, b) => a.input!.localeCompare(b.input!));
    expect(done).toMatchObject([
      { uncertain: 1, uncertain_objects: [{ ...box, id: 0, bbox: [0, 0, 8, 8] }] },
      { uncertain: 1, uncertain_objects: [{ ...box, id: 7, time: 0, bbox: [1, 2, 11, 12] }] },
    ]);
  });

  it('counts each detection of a video without tracking, and lists the first ones', async () => {
    write('in/b.mp4', MP4);
    const { of } = await run([...facesAbove(NEAR), '--no-object-tracking'], { video: { frameCount: 150 } });
    expect(of('done')).toMatchObject([{ uncertain: 150 }]);
    expect(of('done')[0]?.['uncertain_objects']).toHaveLength(100);
  });

  it('is done if all scores are far from it', async () => {
    write('in/a.jpg');
    write('in/b.mp4', MP4);
    const { outcome, of, end } = await run(facesAbove(FAR));
    expect([outcome, end['uncertain']]).toEqual(['done', 0]);
    expect(of('done')).toMatchObject([{ uncertain: 0, uncertain_objects: [] }, { uncertain: 0 }]);
  });

  it('ends the same way where an earlier run has processed the files', async () => {
    write('in/a.jpg');
    await run(facesAbove(NEAR).slice(0, -1));
    const { outcome, processed, of } = await run(facesAbove(NEAR));
    expect([outcome, processed]).toEqual(['uncertain', 0]);
    expect(of('skipped')).toMatchObject([{ uncertain: 1 }]);
  });

  it('processes files again of which an older list does not say whether they have any', async () => {
    write('in/a.jpg');
    await run(facesAbove(NEAR));
    const list = join(output, MANIFEST);
    writeFileSync(list, readFileSync(list, 'utf8').replaceAll('"uncertain":1,', ''));
    expect((await run(facesAbove(NEAR))).processed).toBe(1);
  });

  it('is incomplete first of all if a file fails', async () => {
    write('in/a.jpg');
    write('in/b.jpg', 'no image');
    expect((await run(facesAbove(NEAR))).outcome).toBe('incomplete');
  });

  it('does not count objects that edits decide', async () => {
    const edits = write('edits.json', JSON.stringify({ objects: [{ id: 0, hidden: true }] }));
    write('in/a.jpg');
    const [, ...flags] = facesAbove(NEAR);
    const { outcome } = await run([at('in/a.jpg'), ...flags, '--edits', edits]);
    expect(outcome).toBe('done');
  });
});

it('a run that does not ask says nothing of uncertain objects, and is done', async () => {
  write('in/a.jpg');
  const { outcome, of, end } = await run(facesAbove(NEAR).slice(0, -1));
  expect(outcome).toBe('done');
  expect([of('done')[0], end].map((line) => 'uncertain' in line!)).toEqual([false, false]);
});

it('a candidate near below the threshold of a chosen class is uncertain', () => {
  const options = defaultImageOptions({ classes: ['face'] });
  const box = { x1: 0, y1: 0, x2: 9, y2: 9 };
  const found = [
    { id: 0, detection: { objectClass: 'face', score: 0.35, box } },
    { id: 1, detection: { objectClass: 'face', score: 0.28, box } },
    { id: 2, detection: { objectClass: 'person', score: 0.4, box } },
    { id: 3, detection: { objectClass: 'face', score: 0.5, box } },
  ] as const;
  const { listed } = uncertainInImage(found, { options, decided: [3] });
  expect(listed.map(({ id }) => id)).toEqual([0]);
});
