import { expect, it } from 'vitest';
import { createBatchFolder } from '../testing/batch-folder';
import { listResults } from './list-results';

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
