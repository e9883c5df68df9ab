import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DuringWork } from '#shared/testing/fake-engine';
import { RAMP_JPEG, rampPng } from '#shared/testing/ramp-images';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
});

describe('a second run', () => {
  it('skips files that are done with the same options', async () => {
    write('in/a.jpg');
    write('in/b.jpg');
    await run([at('in')]);
    write('in/c.jpg');
    const { processed, end, of, isDone } = await run([at('in')]);
    expect([processed, end['done'], end['skipped'], isDone]).toEqual([1, 1, 2, true]);
    expect(of('skipped').map(({ input }) => input)).toEqual([at('in/a.jpg'), at('in/b.jpg')]);
  });

  it('processes files again that were done with other options, and removes their outdated results', async () => {
    write('in/a.jpg');
    await run([at('in'), '--save-mask', 'all']);
    const { processed } = await run([at('in'), '--method', 'blacken']);
    expect(processed).toBe(1);
    expect(filesOf(output)).toEqual(['a.jpg']);
  });

  it('processes changed files again', async () => {
    write('in/a.jpg');
    await run([at('in')]);
    utimesSync(at('in/a.jpg'), 1, 1);
    expect((await run([at('in')])).processed).toBe(1);
  });

  it('processes files again whose results are missing or empty', async () => {
    write('in/a.jpg');
    await run([at('in'), '--save-metadata']);
    rmSync(join(output, 'a.json'));
    expect((await run([at('in'), '--save-metadata'])).processed).toBe(1);
    writeFileSync(join(output, 'a.jpg'), '');
    expect((await run([at('in'), '--save-metadata'])).processed).toBe(1);
  });

  it('skips files that were moved together with their folder', async () => {
    write('in/a.jpg');
    utimesSync(at('in/a.jpg'), 5, 5);
    await run([at('in')]);
    write('moved/a.jpg');
    utimesSync(at('moved/a.jpg'), 5, 5);
    expect((await run([at('moved')])).end['skipped']).toBe(1);
  });

  it('processes failed files again', async () => {
    write('in/a.jpg', 'no image');
    await run([at('in')]);
    write('in/a.jpg');
    expect((await run([at('in')])).isDone).toBe(true);
  });

  it('reads a manifest whose last line was cut off', async () => {
    write('in/a.jpg');
    write('in/b.jpg');
    await run([at('in')]);
    const list = join(output, '.veil-batch.jsonl');
    writeFileSync(list, readFileSync(list, 'utf8').slice(0, -20));
    expect((await run([at('in')])).processed).toBe(1);
    expect((await run([at('in')])).processed).toBe(0);
  });
});

it('a manifest with names outside the output folder removes no files there', async () => {
  const elsewhere = write('elsewhere.jpg');
  write('in/a.jpg');
  const entry = { name: 'a.jpg', from: '', source: '', options: '', done: true };
  for (const outputs of [['../elsewhere.jpg'], [elsewhere], ['x/../../elsewhere.jpg']]) {
    write('out/.veil-batch.jsonl', `${JSON.stringify({ ...entry, outputs })}\n`);
    rmSync(join(output, 'a.jpg'), { force: true });
    expect((await run([at('in')])).isDone).toBe(true);
    expect(existsSync(elsewhere)).toBe(true);
  }
});

describe('an existing file with the name of a result', () => {
  const FOREIGN = 'Its result a.jpg cannot be written: another file has this name.';

  it('is never overwritten', async () => {
    write('in/a.jpg');
    write('out/a.jpg', 'somebody’s');
    const { failed } = await run([at('in')]);
    expect(failed[0]?.error).toBe(FOREIGN);
    expect(readFileSync(join(output, 'a.jpg'), 'utf8')).toBe('somebody’s');
  });

  it('is not overwritten if it is the result of another input', async () => {
    write('x/a.jpg');
    write('y/a.jpg', rampPng(20, 10));
    await run([at('x/a.jpg')]);
    write('y/a.jpg', Buffer.concat([RAMP_JPEG, Buffer.of(0)]));
    const { failed } = await run([at('y/a.jpg')]);
    expect(failed[0]?.error).toBe(
      'Its result a.jpg cannot be written: the result of another image has this name.',
    );
  });

  it('is not overwritten if it is the input itself', async () => {
    const input = write('out/a.jpg');
    const { failed } = await run([input]);
    expect(failed[0]?.error).toBe('Its result would overwrite it: choose another --output.');
    expect(readFileSync(input)).toEqual(Buffer.from(RAMP_JPEG));
  });

  it('makes a result fail that needs a folder of this name', async () => {
    write('in/sub/a.jpg');
    write('out/sub', 'file');
    const { failed } = await run([at('in')]);
    expect(failed[0]?.error).toBe('Its result cannot be written: a file has the name of a required folder.');
  });

  it('makes the run fail if it has the name of the output folder', async () => {
    write('out', 'file');
    await expect(run([write('a.jpg')])).rejects.toThrow(/is not writable: choose another with --output\.$/);
  });
});

describe('a run that is stopped', () => {
  it('leaves no partial result, counts what is not done, and the next run continues', async () => {
    for (const name of ['a', 'b', 'c']) write(`in/${name}.jpg`);
    const stop = new AbortController();
    let begun = 0;
    const during: DuringWork = async () => {
      begun += 1;
      if (begun === 2) stop.abort('SIGINT');
    };
    const { end, isDone, failed } = await run([at('in')], { during, stop });
    expect(end).toMatchObject({
      done: 1,
      open: 2,
      error: 'Stopped: run the same command again to continue.',
    });
    expect([isDone, failed]).toEqual([false, []]);
    expect(filesOf(output)).toHaveLength(1);
    expect((await run([at('in')])).end).toMatchObject({ done: 2, skipped: 1, open: 0 });
    expect(filesOf(output)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  });

  it('stops an image that exceeds the time limit, and processes the others', async () => {
    write('in/a.jpg');
    write('in/b.jpg', rampPng(20, 10));
    const during: DuringWork = ({ bytes }) =>
      bytes[0] === 0xff ? new Promise(() => undefined) : Promise.resolve();
    const { failed, end } = await run([at('in')], {
      during,
      // Enough for the other image on a busy machine.
      changes: { taskTimeoutMs: 4_000, taskTimeoutMsPerMegapixel: 0 },
    });
    expect(failed).toMatchObject([
      {
        input: at('in/a.jpg'),
        error: 'Processing the file took too long: the limit is 4 seconds.',
      },
    ]);
    expect(end).toMatchObject({ done: 1 });
  });
});
