import { readFileSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { RAMP_JPEG, rampPng } from '#shared/testing/ramp-images';
import { smallImage } from '#shared/testing/small-images';
import { listResults } from '../review/list-results';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';

let at: BatchFolder['at'];
let write: BatchFolder['write'];
let run: BatchFolder['run'];
/** Runs without an output folder. */
const nextTo = (...args: string[]) => run(args, { output: null });
const SUFFIX = ['--suffix', '_anonymised'];

beforeEach(() => {
  ({ at, write, run } = createBatchFolder());
});

describe('results with a suffix', () => {
  it('are next to their sources, also in folders below', async () => {
    write('in/a.jpg');
    write('in/sub/b.PNG', rampPng(20, 10));
    write('in/c.heic', smallImage('heic'));
    const { isDone, of } = await nextTo(at('in'), ...SUFFIX, '--save-metadata');
    expect(isDone).toBe(true);
    expect(filesOf(at('in'))).toEqual(
      [
        ...['a.jpg', 'a_anonymised.jpg', 'a_anonymised.json', 'c.heic', 'c_anonymised.jpg'],
        ...['c_anonymised.json', 'sub/b.PNG', 'sub/b_anonymised.PNG', 'sub/b_anonymised.json'],
      ].sort(),
    );
    expect(of('done').map(({ output }) => output)).toContain(at('in/sub/b_anonymised.PNG'));
    expect(readFileSync(at('in/a.jpg'))).toEqual(Buffer.from(RAMP_JPEG));
  });

  it('are no sources of the next run, also if they are named', async () => {
    write('in/a.jpg');
    await nextTo(at('in'), ...SUFFIX, '--save-mask', 'all');
    const results = filesOf(at('in'));
    const again = await nextTo(at('in'), at('in/a_anonymised.jpg'), ...SUFFIX, '--save-mask', 'all');
    expect([again.processed, again.isDone, again.end['skipped']]).toEqual([0, true, 1]);
    expect(filesOf(at('in'))).toEqual(results);
  });

  it('are no sources of a run with another suffix', async () => {
    write('in/a.jpg');
    await nextTo(at('in'), ...SUFFIX);
    const other = await nextTo(at('in'), '--suffix=-b');
    expect(other.processed).toBe(1);
    expect(filesOf(at('in'))).toEqual(['a-b.jpg', 'a.jpg']);
  });

  it('are known to a run over a part of the tree, and over single files', async () => {
    write('in/sub/a.jpg');
    await nextTo(at('in'), ...SUFFIX);
    expect((await nextTo(at('in/sub'), ...SUFFIX)).end).toMatchObject({ done: 0, skipped: 1 });
    expect((await nextTo(at('in/sub/a.jpg'), ...SUFFIX)).end).toMatchObject({ done: 0, skipped: 1 });
    rmSync(at('in/sub/a_anonymised.jpg'));
    expect((await nextTo(at('in/sub/a.jpg'), ...SUFFIX)).processed).toBe(1);
  });

  it('never overwrite a file that is no result', async () => {
    write('in/a.jpg');
    write('in/a_anonymised.jpg', 'somebody’s');
    const { failed } = await nextTo(at('in'), ...SUFFIX);
    expect(failed).toMatchObject([
      {
        input: at('in/a.jpg'),
        error: 'Its result a_anonymised.jpg cannot be written: another file has this name.',
      },
    ]);
    expect(readFileSync(at('in/a_anonymised.jpg'), 'utf8')).toBe('somebody’s');
  });

  it('of two sources that would have one name are refused for the second', async () => {
    write('in/photo.heic', smallImage('heic'));
    write('in/photo.jpg');
    const { failed, end } = await nextTo(at('in'), ...SUFFIX);
    expect(end).toMatchObject({ done: 1, failed: 1 });
    expect(failed).toMatchObject([
      {
        input: at('in/photo.jpg'),
        error: 'Its results would have the same names as those of another file.',
      },
    ]);
  });

  it('have it in an output folder, too', async () => {
    write('in/a.jpg');
    await run([at('in'), ...SUFFIX]);
    expect(filesOf(at('out'))).toEqual(['a_anonymised.jpg']);
  });

  it('can be reviewed, with their sources next to them', async () => {
    write('in/a.heic', smallImage('heic'));
    await nextTo(at('in'), ...SUFFIX);
    const { results } = await listResults(at('in'), []);
    expect(results).toMatchObject([
      { path: at('in/a.heic'), outputs: { anonymised: 'a_anonymised.jpg', metadata: null } },
    ]);
  });
});

describe('a suffix', () => {
  it.each(['a/b', '..', '', ' x', 'a:b', 'x'.repeat(65)])('is refused if it is %j', async (text) => {
    await expect(nextTo(at('in'), '--suffix', text)).rejects.toThrow(
      /^--suffix must be a part of a file name/,
    );
  });
});
