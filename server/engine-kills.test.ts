import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '#shared/api/contract/routes';
import { concatBytes } from '#shared/testing/image-bytes';
import { filePart } from '#shared/testing/conformance-steps';
import { asHttp } from '#shared/testing/multipart';
import { RAMP_MP4 } from '#shared/testing/video-files';
import { PROBES } from './http/serve-probes';
import type { EngineRole } from './engine/spawn-engine';
import { buildCluster, type ClusterProgram } from './testing/cluster/build-cluster';
import { fakeImage } from './testing/cluster/fake-images';
import { PRODUCT_MODELS, type BuiltProgram } from './testing/built-program';
import { engineProcessesOf } from './testing/engine-processes';
import { startServer, repeatUntil, type RunningServer } from './testing/running-server';

const IMAGES = 20;
const KILLS = 10;
const RARE = { tags: ['slow'] };
/** Long enough that the engine process is killed during the work; each image takes longer than the one before. */
const workMsOf = (image: number): number => 150 + 40 * image;

let program: ClusterProgram;
beforeAll(async () => {
  program = await buildCluster(PRODUCT_MODELS);
});
afterAll(() => program.remove());

const start = async (workMs: number, ...flags: readonly string[]): Promise<RunningServer> => {
  const run: BuiltProgram['startIn'] = (env, ...args) => {
    const all = [program.product, program.fakeRoot(workMs), ...args];
    const child = spawn(process.execPath, all, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
      child.once('exit', (code) => resolve({ code, stdout: '', stderr: '' })),
    );
    return { child, ended };
  };
  const built: BuiltProgram = {
    launcher: program.product,
    start: (...args: string[]) => run(process.env, ...args),
    startIn: run,
    remove: () => undefined,
  };
  const server = await startServer(built, ...flags);
  onTestFinished(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  return server;
};

const send = async ({ origin }: RunningServer, bytes: Uint8Array, isAsync: boolean): Promise<string> => {
  const { method, url, headers, body } = asHttp({
    method: 'POST',
    url: ROUTES.uploadFile.path,
    headers: { 'x-is-async': String(isAsync) },
    parts: [filePart(bytes)],
  });
  const answer = await fetch(origin + url, { method, headers, body: body as Uint8Array<ArrayBuffer> });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return (JSON.parse(text) as { readonly id: string }).id;
};

interface TaskJson {
  readonly status: string;
  readonly error: string | null;
}

const tasksOf = async ({ origin }: RunningServer): Promise<readonly TaskJson[]> =>
  (await (await fetch(origin + ROUTES.listTasks.path)).json()) as TaskJson[];
const countDone = async (server: RunningServer): Promise<number> =>
  (await tasksOf(server)).filter(({ status }) => status === 'done').length;

const engineOf = async ({ child }: RunningServer, role: EngineRole): Promise<number> =>
  (
    await repeatUntil(
      async () => engineProcessesOf(child.pid!, role),
      (pids) => pids.length > 0,
    )
  )[0]!;
const anonymisedOf = async ({ origin }: RunningServer, id: string, query = ''): Promise<Buffer> => {
  const answer = await fetch(`${origin}/v1/file/${id}/anonymised${query}`);
  if (!answer.ok) throw new Error(await answer.text());
  return Buffer.from(await answer.arrayBuffer());
};

describe.skipIf(process.platform !== 'linux')('a server whose engine process is killed', () => {
  it(`${KILLS} times ends all of ${IMAGES} uploads with their results`, RARE, async () => {
    const server = await start(0, '--workers', '4');
    const images = Array.from({ length: IMAGES }, (_, i) => fakeImage(`image ${i}`, workMsOf(i)));
    const ids = await Promise.all(images.map((image) => send(server, image, true)));
    for (let kill = 0; kill < KILLS; kill += 1) {
      process.kill(await engineOf(server, 'tasks'), 'SIGKILL');
      const before = await countDone(server);
      expect((await fetch(server.origin + PROBES.liveness)).status).toBe(200);
      await repeatUntil(
        () => countDone(server),
        (done) => done > before || done === IMAGES,
      );
    }
    const ended = await repeatUntil(
      () => tasksOf(server),
      (all) => all.every(({ status }) => status !== 'queued' && status !== 'processing'),
    );
    expect(ended.map(({ error }) => error)).toEqual(images.map(() => null));
    const results = await Promise.all(ids.map((id) => anonymisedOf(server, id)));
    // The fake engine adds a digest of the upload.
    expect(new Set(results.map((result) => result.subarray(-32).toString('hex'))).size).toBe(IMAGES);
  });

  /** Stops the process first, so that it is killed during this step and not before or after it. */
  const during = async (
    server: RunningServer,
    role: EngineRole,
    begin: () => Promise<unknown>,
  ): Promise<unknown> => {
    const pid = await engineOf(server, role);
    process.kill(pid, 'SIGSTOP');
    const outcome = begin();
    outcome.catch(() => undefined);
    await fetch(server.origin + ROUTES.getStatus.path); // the request before has arrived, too
    process.kill(pid, 'SIGKILL');
    return outcome;
  };

  it('answers the upload that it inspected', RARE, async () => {
    const server = await start(0, '--workers', '1');
    await during(server, 'requests', () => send(server, fakeImage('inspected'), false));
    expect(await countDone(server)).toBe(1);
  });

  it('answers the upload that it processed', async () => {
    const server = await start(0, '--workers', '1');
    await during(server, 'tasks', () => send(server, fakeImage('processed'), false));
    await during(server, 'tasks', () => send(server, concatBytes(RAMP_MP4, new Uint8Array(1)), false));
    expect(await countDone(server)).toBe(2);
  });

  it('answers the download that it rendered', RARE, async () => {
    const server = await start(0, '--workers', '1');
    const id = await send(server, fakeImage('rendered'), false);
    const rendered = await during(server, 'requests', () => anonymisedOf(server, id, '?quality=50'));
    expect(rendered).toEqual(await anonymisedOf(server, id, '?quality=50'));
  });

  it('applies the edits that it applied', RARE, async () => {
    const server = await start(0, '--workers', '1');
    const id = await send(server, fakeImage('edited'), false);
    const put = async (): Promise<number> => {
      const url = server.origin + ROUTES.putEdits.path.replace('{id}', id);
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'PUT', headers, body: '{"objects":[{"id":0,"hidden":false}]}' }))
        .status;
    };
    expect(await during(server, 'requests', put)).toBe(200);
  });

  /** Stops the process while it works, lets a retry begin, and lets the process go on. */
  const whileStopped = async (server: RunningServer, retry: () => Promise<unknown>): Promise<void> => {
    const pid = await engineOf(server, 'tasks');
    process.kill(pid, 'SIGSTOP');
    await retry();
    process.kill(pid, 'SIGCONT');
  };
  const filesOf = ({ outputFolder, inputFolder }: RunningServer, id: string): Map<string, string> =>
    new Map(
      [inputFolder, outputFolder].flatMap((folder) =>
        readdirSync(join(folder, id)).map((name) => {
          const path = join(folder, id, name);
          return [path, `${statSync(path).mtimeMs} ${readFileSync(path).toString('base64')}`] as const;
        }),
      ),
    );
  const isProcessing = (server: RunningServer): Promise<unknown> =>
    repeatUntil(
      () => tasksOf(server),
      (tasks) => tasks.some(({ status }) => status === 'processing'),
    );

  it(
    'and that was only stopped, brings no file back of a task that was deleted and sent again',
    RARE,
    async () => {
      const server = await start(0, '--workers', '1');
      const image = fakeImage('sent twice', 1_000);
      const first = await send(server, image, true);
      await isProcessing(server);
      let second = '';
      await whileStopped(server, async () => {
        await fetch(`${server.origin}/v1/task/${first}`, { method: 'DELETE' });
        second = await send(server, image, true);
        await isProcessing(server);
      });
      await repeatUntil(
        () => countDone(server),
        (done) => done === 1,
      );
      const files = filesOf(server, second);
      await send(server, fakeImage('later'), false); // what was left of the first one has ended
      expect(filesOf(server, second)).toEqual(files);
      for (const folder of [server.inputFolder, server.outputFolder]) {
        expect(existsSync(join(folder, first))).toBe(false);
      }
    },
  );

  it('and that was only stopped, changes no byte of the result of later edits', RARE, async () => {
    const server = await start(0, '--workers', '1');
    const id = await send(server, fakeImage('edited twice'), false);
    const put = (hidden: boolean, isAsync: boolean): Promise<Response> =>
      fetch(server.origin + ROUTES.putEdits.path.replace('{id}', id), {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-is-async': String(isAsync) },
        body: JSON.stringify({ objects: [{ id: 0, hidden }] }),
      });
    let last: Promise<Response> | undefined;
    await whileStopped(server, async () => {
      await put(false, true);
      last = put(true, false);
    });
    expect((await last)?.status).toBe(200);
    const files = filesOf(server, id);
    await send(server, fakeImage('later'), false);
    expect(filesOf(server, id)).toEqual(files);
    const { objects } = (await (
      await fetch(server.origin + ROUTES.getEdits.path.replace('{id}', id))
    ).json()) as { readonly objects: unknown };
    expect(objects).toEqual([{ id: 0, hidden: true }]);
  });

  it('ends its engine processes when it is killed itself', async () => {
    const server = await start(0);
    const pids = [await engineOf(server, 'tasks'), await engineOf(server, 'requests')];
    server.child.kill('SIGKILL');
    await server.ended;
    const runs = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await repeatUntil(
      async () => pids.filter(runs),
      (left) => left.length === 0,
    );
  });
});
