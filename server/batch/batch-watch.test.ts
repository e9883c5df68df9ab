import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';
import { POLL_MS, SETTLE_MS } from './watch';

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
  mkdirSync(at('in'));
});

const nothing = (): void => undefined;
/** So many looks that a file which does not change any more is taken. */
const SETTLED = Array.from({ length: Math.ceil(SETTLE_MS / POLL_MS) }, () => nothing);
const watch = (pauses: readonly (() => void)[], ...args: string[]) =>
  run([at('in'), '--watch', ...args], { pauses });

describe('a watched folder', () => {
  it('is looked at again, and files that come later are processed once', async () => {
    write('in/a.jpg');
    const { end, processed, of } = await watch([
      ...SETTLED,
      () => void write('in/sub/b.jpg'),
      ...SETTLED,
      ...SETTLED,
    ]);
    expect(filesOf(output)).toEqual(['a.jpg', 'sub/b.jpg']);
    expect([processed, end['done'], end['open'], end['error']]).toEqual([2, 2, 0, null]);
    expect(of('start')).toHaveLength(2);
  });

  it('takes no file before it has stood still for some seconds', async () => {
    write('in/a.jpg', RAMP_JPEG.slice(0, -20));
    const { processed, failed } = await watch([
      nothing,
      () => appendFileSync(at('in/a.jpg'), RAMP_JPEG.slice(-20, -10)),
      nothing,
      () => appendFileSync(at('in/a.jpg'), RAMP_JPEG.slice(-10)),
      nothing,
    ]);
    expect([processed, failed]).toEqual([0, []]);
    const again = await watch(SETTLED);
    expect([again.processed, again.end['done']]).toEqual([1, 1]);
  });

  it('takes a file that is renamed into it, and ignores one that is gone at the next look', async () => {
    const { processed, failed } = await watch([
      () => void write('in/.a.jpg.part'),
      () => renameSync(at('in/.a.jpg.part'), at('in/a.jpg')),
      () => void write('in/b.tmp.jpg'),
      () => rmSync(at('in/b.tmp.jpg')),
      ...SETTLED,
    ]);
    expect([processed, failed]).toEqual([1, []]);
    expect(filesOf(output)).toEqual(['a.jpg']);
  });

  it('processes a file again that has changed, and one that was damaged when it is whole', async () => {
    write('in/a.jpg');
    write('in/b.jpg', RAMP_JPEG.slice(0, -10));
    const { processed, failed } = await watch([
      ...SETTLED,
      () => void write('in/a.jpg', Buffer.concat([RAMP_JPEG, Buffer.of(0)])),
      () => void write('in/b.jpg'),
      ...SETTLED,
    ]);
    expect(failed).toHaveLength(1);
    expect(processed).toBe(3);
    expect(filesOf(output)).toEqual(['a.jpg', 'b.jpg']);
  });

  it('says of each problem once, also if the folder is gone for a time', async () => {
    write('in/notes.jpg', 'no image');
    const { failed } = await watch([
      ...SETTLED,
      () => renameSync(at('in'), at('away')),
      ...SETTLED,
      ...SETTLED,
      () => renameSync(at('away'), at('in')),
      ...SETTLED,
    ]);
    expect(failed.map(({ input }) => input)).toEqual([at('in/notes.jpg'), at('in')]);
  });

  it('loses no file when the run is stopped: the next one continues', async () => {
    for (const name of ['a', 'b', 'c']) write(`in/${name}.jpg`);
    const stop = new AbortController();
    const during = async (): Promise<void> => stop.abort('SIGTERM');
    const stopped = await run([at('in'), '--watch'], { pauses: SETTLED, stop, during });
    expect(stopped.outcome).toBe('incomplete');
    expect(stopped.end).toMatchObject({ open: 3, error: 'Stopped: run the same command again to continue.' });
    const next = await watch(SETTLED);
    expect(next.end).toMatchObject({ done: 3, open: 0 });
    expect((await watch(SETTLED)).end).toMatchObject({ done: 0, skipped: 3 });
  });

  it('may get its results next to their sources, which are no sources', async () => {
    write('in/a.jpg');
    const pauses = [...SETTLED, ...SETTLED, ...SETTLED];
    const { processed } = await run([at('in'), '--watch', '--suffix', '_x'], { output: null, pauses });
    expect(processed).toBe(1);
    expect(filesOf(at('in'))).toEqual(['a.jpg', 'a_x.jpg']);
    expect(readFileSync(join(at('in'), 'a.jpg'))).toEqual(Buffer.from(RAMP_JPEG));
  });

  it('must be a folder', async () => {
    const input = write('a.jpg');
    await expect(run([input, '--watch'])).rejects.toThrow(
      `--watch applies to folders, and ${input} is none.`,
    );
  });
});
