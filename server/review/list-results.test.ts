import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import { imageOptions } from '#shared/api/handlers/image-options';
import { readUpload } from '#shared/api/http/query';
import { makeBag } from '#shared/testing/bags';
import { rampPng } from '#shared/testing/ramp-images';
import { StartProblem } from '../cli/start-problem';
import { createBatchFolder } from '../testing/batch-folder';
import { openManifest } from '../batch/manifest';
import { listResults } from './list-results';
import { waitingLine } from './start-review';

it('a report is not taken for the metadata of its result, nor metadata for a report', async () => {
  const { at, output, write, run } = createBatchFolder();
  write('in/a.jpg');
  write('in/b-report.jpg');
  await run([at('in/a.jpg'), '--save-report']);
  await run([at('in/b-report.jpg'), '--save-metadata']);
  const { results } = await listResults(output, [at('in/a.jpg'), at('in/b-report.jpg')]);
  expect(results.map(({ outputs: { metadata, report } }) => [metadata, report])).toEqual([
    [null, { json: 'a-report.json', page: 'a-report.html' }],
    ['b-report.json', null],
  ]);
});

it('a review has the reasons of the run', async () => {
  const { at, output, write, run } = createBatchFolder();
  write('in/a.jpg');
  const codes = [{ code: 'b6', label: 'Personal privacy' }];
  const flags = ['--reasons', write('codes.json', JSON.stringify(codes)), '--face-reason', 'b6'];
  await run([at('in/a.jpg'), ...flags, '--requester', 'Zoë']);
  const { results } = await listResults(output, [at('in/a.jpg')]);
  const given = readUpload(results[0]!.entry.request);
  expect(imageOptions(given, { classes: DEFAULT_CLASSES, format: { kind: 'whole' } })).toMatchObject({
    ...{ reasons: codes, classReasons: { face: 'b6' }, requester: 'Zoë' },
  });
});

it('a result waits for a decision until an edit or a decision names each of its uncertain objects', async () => {
  const { at, output, write, run } = createBatchFolder();
  for (const name of ['a', 'b', 'c', 'd']) write(`in/${name}.jpg`);
  await run([at('in')]);
  const decisions = [{ decision: 'visible', type_label: 'face', id: 1, at: '2026-01-01T00:00:00.000Z' }];
  for (const name of ['b.jpg', 'c.jpg']) write(`out/${name}.decisions.json`, JSON.stringify({ decisions }));
  write('out/c.jpg.edits.json', '{"objects":[{"id":1,"hidden":false}]}');
  const manifest = await openManifest(output);
  for (const [name, uncertain] of Object.entries({ 'a.jpg': 2, 'b.jpg': 1, 'c.jpg': 1, 'd.jpg': 0 })) {
    const entry = manifest.get(name)!;
    await manifest.put({ ...entry, uncertain, outputs: [...entry.outputs, `${name}.decisions.json`] });
  }
  const { results } = await listResults(output, [at('in')]);
  const counts = Object.fromEntries(results.map(({ entry, undecided }) => [entry.name, undecided]));
  expect(counts).toEqual({ 'a.jpg': 2, 'b.jpg': 0, 'c.jpg': 1, 'd.jpg': 0 });
  expect(waitingLine(results.toSorted((x, y) => (x.entry.name < y.entry.name ? -1 : 1)))).toBe(
    '2 results wait for a decision about uncertain objects: a.jpg, c.jpg.\n',
  );
  expect(waitingLine(results.filter(({ undecided }) => undecided === 0))).toBe('');
  expect(waitingLine(Array(7).fill(results.find(({ entry }) => entry.name === 'a.jpg')))).toContain(
    'a.jpg, a.jpg, a.jpg, a.jpg, a.jpg, and 2 more.',
  );
});

it('a review that cannot start explains why in one sentence', async () => {
  const { at, output, write, run } = createBatchFolder();
  write('in/a.jpg');
  await run([at('in/a.jpg')]);
  const why = (sources: readonly string[] = []) =>
    listResults(output, sources).then(
      () => 'it can',
      (error: unknown) => (error instanceof StartProblem ? error.message : error),
    );
  expect(await why()).toBe('it can');
  expect(await listResults(at('in'), []).catch(String)).toContain(
    'has no list of results (.veil-batch.jsonl)',
  );
  const edits = write('out/a.jpg.edits.json', '{');
  expect(await why()).toMatch(/^The edits file .*a\.jpg\.edits\.json must hold one JSON object\.$/);
  rmSync(edits);
  write('in/a.jpg', rampPng(9, 9));
  expect(await why()).toBe(
    'The source of a.jpg has changed since its result was written: process it again first.',
  );
  rmSync(at('in/a.jpg'));
  expect(await why()).toBe(
    `The source of a.jpg was not found: name its file or folder after the result folder, as in "veil review ${output} photos".`,
  );
});

it.each([{ anonymised: '../a.jpg' }, { anonymised: '/a.jpg' }, { exports: { coco: '../a.jpg' } }])(
  'a list with names outside the folder gives no result that a review would overwrite: %j',
  async (names) => {
    const { at, output, write } = createBatchFolder();
    const entry = { name: 'a.jpg', from: '', source: '', options: '', request: '', done: true };
    write('a.jpg');
    write('out/a.jpg');
    write('out/.veil-batch.jsonl', `${JSON.stringify({ ...entry, outputs: ['a.jpg'], ...names })}\n`);
    await expect(listResults(output, [at('a.jpg')])).rejects.toThrow('has no results to review');
  },
);

it('a bag is not reviewed, and the other results of its folder are', async () => {
  const { at, output, write, run } = createBatchFolder();
  write('in/a.jpg');
  write('in/drive.mcap', await makeBag({ channels: [], chunks: [[]], metadata: ['x'.repeat(200)] }));
  expect((await run([at('in')])).isDone).toBe(true);
  const { results } = await listResults(output, [at('in')]);
  expect(results.map(({ entry }) => entry.name)).toEqual(['a.jpg']);
});
