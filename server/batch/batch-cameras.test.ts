import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rampPng } from '#shared/testing/ramp-images';
import { createBatchFolder, filesOf } from '../testing/batch-folder';

const AREA = { topLeftX: 1, topLeftY: 1, width: 4, height: 4 };

it('files of cameras have the areas of their sets, and a file of no camera fails', async () => {
  const { at, output, write, run } = createBatchFolder();
  for (const name of ['door/1.png', 'yard_1.png', 'other.png']) write(`in/${name}`, rampPng(20, 10));
  const sets = { door: [AREA], yard: [{ ...AREA, topLeftX: 9 }] };
  const flags = ['--hides', write('cameras.json', JSON.stringify(sets)), '-a', 'face', '--save-metadata'];
  const { failed } = await run([at('in'), ...flags]);
  expect(failed).toMatchObject([
    { input: at('in/other.png'), error: expect.stringContaining('No set of --hides') as string },
  ]);
  expect(filesOf(output)).toEqual(['door/1.json', 'door/1.png', 'yard_1.json', 'yard_1.png']);
  const areasIn = (name: string): unknown[] =>
    (
      JSON.parse(readFileSync(join(output, name), 'utf8')) as {
        detections: { type_label: string; bbox: unknown }[];
      }
    ).detections
      .filter(({ type_label: label }) => label === 'area')
      .map(({ bbox }) => bbox);
  expect([areasIn('door/1.json'), areasIn('yard_1.json')]).toEqual([[[1, 1, 5, 5]], [[9, 1, 13, 5]]]);
});

it('only files whose areas have changed are processed again', async () => {
  const { at, write, run } = createBatchFolder();
  for (const name of ['door/1.png', 'yard_1.png']) write(`in/${name}`, rampPng(20, 10));
  const runWith = (sets: object) =>
    run([at('in'), '--hides', write('cameras.json', JSON.stringify(sets)), '-a', 'face']);
  expect((await runWith({ door: [AREA], yard: [] })).processed).toBe(2);
  expect((await runWith({ door: [AREA], yard: [AREA] })).processed).toBe(1);
});
