import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { RAMP_MP4 } from '#shared/testing/video-files';
import { createBatchFolder, type BatchFolder } from '../testing/batch-folder';
import { buildProgram, PRODUCT_MODELS, type BuiltProgram } from '../testing/built-program';
import { temporaryFolder } from '../testing/temporary-folder';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** A program that has the list of models, and none of them. */
const withoutModels = async (): Promise<BuiltProgram> => {
  const models = temporaryFolder();
  copyFileSync(join(PRODUCT_MODELS, 'manifest.json'), join(models, 'manifest.json'));
  const built = await buildProgram(models);
  onTestFinished(() => built.remove());
  return built;
};

interface Review {
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** Ids of the files by their names. */
  readonly ids: Readonly<Record<string, string>>;
  readonly kill: () => Promise<void>;
  /** What it has said of single files. */
  readonly said: () => string;
}

const startReview = async ({ at, output }: BatchFolder, by = program): Promise<Review> => {
  mkdirSync(at('tmp'), { recursive: true });
  const environment = { ...process.env, TMPDIR: at('tmp'), DISPLAY: '', WAYLAND_DISPLAY: '' };
  const { child, ended } = by.startIn(environment, 'review', output, at('in'), '--no-open', '--workers', '1');
  onTestFinished(() => void child.kill('SIGKILL'));
  let [printed, said] = ['', ''];
  child.stderr!.on('data', (chunk) => (said += String(chunk)));
  while (!printed.includes('Ctrl-C')) {
    const [chunk] = (await Promise.race([once(child.stdout!, 'data'), ended])) as unknown as [unknown];
    if (chunk === undefined) throw new Error((await ended).stderr);
    printed += String(chunk);
  }
  const { origin, hash } = new URL(/http:\S+/.exec(printed)![0]);
  const headers = { authorization: `Bearer ${hash.slice(1)}` };
  const send: Review['send'] = (path, init = {}) =>
    fetch(origin + path, { ...init, headers: { ...headers, ...init.headers } });
  const files = (await (await send('/review/files')).json()) as readonly { id: string; name: string }[];
  return {
    send,
    ids: Object.fromEntries(files.map(({ id, name }) => [name, id])),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    said: () => said,
  };
};

const DECISION = { decision: 'hidden', type_label: 'face', bbox: [1, 1, 3, 3] } as const;

it('a review keeps its decisions when it is killed, and searches the file first that is asked for', async () => {
  const folder = createBatchFolder();
  for (const name of ['a', 'b', 'c']) folder.write(`in/${name}.jpg`, RAMP_JPEG);
  await folder.run([folder.at('in'), '-a', 'face']);
  rmSync(join(folder.output, '.veil-plans'), { recursive: true });
  const first = await startReview(folder);
  const id = first.ids['c.jpg']!;
  expect((await first.send(`/v1/task/${id}`)).status).toBe(200);
  expect(await (await first.send(`/review/files/${id}`)).json()).toHaveProperty('options');
  const put = await first.send(`/v1/task/${id}/decisions`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ decisions: [DECISION], reviewer: 'Zoë' }),
  });
  expect(put.status, await put.text()).toBe(200);
  const stored = JSON.parse(readFileSync(join(folder.output, 'c.jpg.decisions.json'), 'utf8')) as unknown;
  await first.kill();

  folder.write('out/a.jpg.decisions.json', '{"decisions":[{}]}');
  const second = await startReview(folder);
  const again = second.ids['c.jpg']!;
  await second.send(`/review/files/${again}`);
  const decisions = await (await second.send(`/v1/task/${again}/decisions`)).json();
  expect(decisions).toEqual(stored);
  expect(decisions).toMatchObject({ decisions: [{ ...DECISION, reviewer: 'Zoë' }] });
  expect(await (await second.send(`/review/files/${second.ids['a.jpg']!}`)).json()).toEqual({
    error: 'The file a.jpg.decisions.json does not contain decisions.',
  });
});

it('a review of a run opens no model, and names the file whose plan is damaged', async () => {
  const folder = createBatchFolder();
  for (const name of ['a.jpg', 'b.jpg']) folder.write(`in/${name}`, RAMP_JPEG);
  folder.write('in/c.mp4', RAMP_MP4);
  await folder.run([folder.at('in'), '-a', 'face']);
  const decisions = [{ ...DECISION, at: '2026-01-01T00:00:00.000Z' }];
  folder.write('out/c.mp4.decisions.json', JSON.stringify({ decisions }));
  folder.write('out/.veil-plans/b.jpg.jsonl', '{}\n');
  const { send, ids, said } = await startReview(folder, await withoutModels());
  const stateOf = async (name: string): Promise<unknown> =>
    (await send(`/review/files/${ids[name]!}`)).json();
  for (const name of ['a.jpg', 'c.mp4']) expect(await stateOf(name)).toHaveProperty('options');
  expect(await (await send(`/v1/task/${ids['c.mp4']!}/decisions`)).json()).toEqual({ decisions });
  expect(await stateOf('b.jpg')).toHaveProperty('error'); // there is no model to search it with
  expect(said()).toContain('b.jpg is searched again: its stored plan is damaged.\n');
});
