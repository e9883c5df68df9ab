import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '#shared/api/contract/routes';
import { filePart } from '#shared/testing/conformance-steps';
import { HOSTILE_IMAGES } from '#shared/testing/hostile-images';
import { asHttp } from '#shared/testing/multipart';
import { buildProgram, type BuiltProgram } from './testing/built-program';
import { engineProcessesOf } from './testing/engine-processes';
import { startServer } from './testing/running-server';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

const isLinux = process.platform === 'linux';

it('a server with little memory refuses hostile images with a sentence, and no process ends', async () => {
  const start: BuiltProgram['start'] = (...args) =>
    program.startIn({ ...process.env, NODE_OPTIONS: '--max-old-space-size=512' }, ...args);
  const server = await startServer({ ...program, start }, '-a', 'face', '--workers', '1');
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const processes = () => (isLinux ? engineProcessesOf(server.child.pid!, 'requests') : []);
  const before = processes();
  const refusals = await Promise.all(
    HOSTILE_IMAGES.map(async ([, bytes]) => {
      const { method, url, headers, body } = asHttp({
        method: 'POST',
        url: ROUTES.uploadFile.path,
        headers: { 'x-is-async': 'true' },
        parts: [filePart(bytes)],
      });
      const answer = await fetch(server.origin + url, {
        method,
        headers,
        body: body as Uint8Array<ArrayBuffer>,
      });
      return [answer.status, ((await answer.json()) as { readonly detail: string }).detail] as const;
    }),
  );
  HOSTILE_IMAGES.forEach(([, , sentence], i) => {
    expect(refusals[i]).toEqual([422, expect.stringMatching(sentence)]);
  });
  expect(processes()).toEqual(before);
});
