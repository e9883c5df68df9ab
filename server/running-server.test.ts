import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '#shared/api/contract/routes';
import { filePart } from '#shared/testing/conformance-steps';
import { asHttp } from '#shared/testing/multipart';
import { blackPng, RAMP_JPEG } from '#shared/testing/ramp-images';
import { createRaster } from '#shared/testing/rasters';
import { PROBES } from './http/serve-probes';
import { buildProgram, type BuiltProgram } from './testing/built-program';
import { encodeClip } from './testing/clips';
import { engineProcessesOf } from './testing/engine-processes';
import { startServer, repeatUntil, type RunningServer } from './testing/running-server';

/** A shutdown grace that is far longer than these tests. */
const ENDLESS_GRACE = ['--shutdown-grace', '1h'];
/** Options with which each tile is searched at full resolution, which takes minutes. */
const LONG_WORK = new URLSearchParams({
  format: JSON.stringify({ number: [16, 16], overlap: [0.9, 0.9] }),
});
const longImage = (): Uint8Array => blackPng(4_000, 4_000);
/** A video of a minute. Its frames are small, but inference takes as long as for larger ones. */
const longVideo = (): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: 1_500 }, (_, i) => [
      i * 0.04,
      createRaster(64, 48, () => [i % 256, 90, 90]),
    ]),
  });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

const start = async (...flags: readonly string[]): Promise<RunningServer> => {
  const server = await startServer(program, '-a', 'face', '--workers', '1', ...flags);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
};

interface TaskJson {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
}

const uploadTo = async ({ origin }: RunningServer, bytes: Uint8Array, query = ''): Promise<string> => {
  const { method, url, headers, body } = asHttp({
    method: 'POST',
    url: `${ROUTES.uploadFile.path}?${query}`,
    headers: { 'x-is-async': 'true' },
    parts: [filePart(bytes)],
  });
  const answer = await fetch(origin + url, { method, headers, body: body as Uint8Array<ArrayBuffer> });
  return ((await answer.json()) as TaskJson).id;
};
const addressOf = ({ origin }: RunningServer, id: string): string =>
  origin + ROUTES.getTask.path.replace('{id}', id);
const taskOf = async (server: RunningServer, id: string): Promise<TaskJson> =>
  (await fetch(addressOf(server, id))).json() as Promise<TaskJson>;
const isProcessing = ({ status }: TaskJson): boolean => status === 'processing';

/** The nice value of a thread: field 19 of `stat` in proc(5). The name before it may contain spaces. */
const nicenessOf = (pid: number, thread: string): number =>
  Number(
    readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[16],
  );

it.skipIf(process.platform !== 'linux')('models run at a lower priority than the main threads', async () => {
  const { child } = await start();
  const own = nicenessOf(child.pid!, String(child.pid));
  const [engine = 0] = engineProcessesOf(child.pid!, 'tasks');
  expect(nicenessOf(engine, String(engine))).toBe(own);
  const threads = readdirSync(`/proc/${engine}/task`).map((thread) => nicenessOf(engine, thread));
  expect(threads.filter((niceness) => niceness > own)).not.toEqual([]);
});

it.skipIf(process.platform !== 'linux')('the engine processes know no secret of the server', async () => {
  const secrets = { VEIL_TOKEN: 'token-of-the-server', AWS_SECRET_ACCESS_KEY: 'key-of-the-server' };
  const startIn: BuiltProgram['start'] = (...args) =>
    program.startIn({ ...process.env, ...secrets }, ...args);
  const server = await startServer({ ...program, start: startIn }, '-a', 'face', '--workers', '1');
  onTestFinished(() => void server.child.kill('SIGKILL'));
  for (const role of ['tasks', 'requests'] as const) {
    const [pid = 0] = engineProcessesOf(server.child.pid!, role);
    for (const file of ['environ', 'cmdline']) {
      const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
      for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    }
  }
});

it.skipIf(process.platform !== 'linux')(
  'only the thread that works on videos loads the codecs, so no engine process has them before its first video',
  async () => {
    const server = await start();
    for (const role of ['tasks', 'requests'] as const) {
      const [pid = 0] = engineProcessesOf(server.child.pid!, role);
      expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).not.toContain('webcodecs');
    }
  },
);

describe('a server that receives a stop signal', () => {
  it('is healthy and not ready while tasks end, and stops at once at a second signal', async () => {
    const server = await start(...ENDLESS_GRACE);
    const { child, ended, origin } = server;
    const id = await uploadTo(server, longImage(), String(LONG_WORK));
    await repeatUntil(() => taskOf(server, id), isProcessing);
    child.kill('SIGTERM');
    const readiness = await repeatUntil(
      () => fetch(origin + PROBES.readiness),
      ({ ok }) => !ok,
    );
    expect([readiness.status, await readiness.json()]).toEqual([503, { status: 'stopping' }]);
    expect((await fetch(origin + PROBES.health)).status).toBe(200);
    expect(await taskOf(server, id)).toMatchObject({ status: 'processing' });
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
  });
});

// Conformance cases stop tasks on each host; these count the files that are left.
describe('a task that is deleted while it is processed', { tags: ['slow'] }, () => {
  const rule = 'is stopped for the next one and leaves no files: %s';
  const isStopped = async (_: string, make: () => Promise<Uint8Array>): Promise<void> => {
    const server = await start();
    const id = await uploadTo(server, await make(), String(LONG_WORK));
    const next = await uploadTo(server, RAMP_JPEG);
    await repeatUntil(() => taskOf(server, id), isProcessing);
    expect((await fetch(addressOf(server, id), { method: 'DELETE' })).status).toBe(200);
    expect((await fetch(addressOf(server, id))).status).toBe(404);
    await repeatUntil(
      () => taskOf(server, next),
      ({ status }) => status === 'done',
    );
    expect(readdirSync(server.inputFolder).sort()).toEqual(['.receiving', next]);
    expect(readdirSync(server.outputFolder).filter((name) => !name.startsWith('veil.sqlite'))).toEqual([
      next,
    ]);
  };
  it.each([
    ['a video', longVideo],
    ['an image', async () => longImage()],
  ] as const)(rule, isStopped);
});
