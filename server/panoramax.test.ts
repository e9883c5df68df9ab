import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#shared/api/contract/routes';
import { asPassword, askBlur } from './testing/ask-blur';
import { buildProgram, type BuiltProgram } from './testing/built-program';
import { startServerIn, type RunningServer } from './testing/running-server';

const TOKEN = 'a-token-of-this-test-0123456789';
const withToken = { authorization: `Bearer ${TOKEN}` };

describe('a server with --panoramax', () => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-panoramax-'));
  let program: BuiltProgram;
  let server: RunningServer;
  beforeAll(async () => {
    program = await buildProgram();
    server = await startServerIn(
      folder,
      program,
      '-a',
      'face',
      '--workers',
      '1',
      '--panoramax',
      '--token',
      TOKEN,
    );
  });
  afterAll(() => {
    server.child.kill('SIGKILL');
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const blur = (
    request: Parameters<typeof askBlur>[2] = {},
    headers: Record<string, string> = {},
  ): Promise<Response> => askBlur(server.origin, { authorization: asPassword(TOKEN), ...headers }, request);

  it('answers POST /blur/ with a JPEG image, and says in a header who made it', async () => {
    const response = await blur();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(JSON.parse(response.headers.get('x-sgblur')!)).toEqual({
      ...{ blurring_id: null, service_name: 'Veil', annotations: [] },
    });
    expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, 2)]).toEqual([0xff, 0xd8]);
  });

  it('answers a client that accepts several parts with image and metadata', async () => {
    const response = await blur({}, { accept: 'multipart/form-data' });
    const parts = await response.formData();
    expect([...parts.keys()]).toEqual(['image', 'metadata']);
    expect(JSON.parse(String(parts.get('metadata')))).toMatchObject({ service_name: 'Veil' });
  });

  it('lets several requests wait, and keeps nothing of them', async () => {
    const responses = await Promise.all(Array.from({ length: 4 }, () => blur()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await Promise.all(responses.map((response) => response.arrayBuffer()));
    const tasks = await fetch(server.origin + ROUTES.listTasks.path, { headers: withToken });
    expect(await tasks.json()).toEqual([]);
  });

  it.each([
    ['keep=1, because nothing is kept', { query: '?keep=1' }, /keeps nothing/],
    ['a part of another name', { part: 'file' }, /`picture`/],
  ])('refuses %s', async (_, request, sentence) => {
    const response = await blur(request);
    expect(response.status).toBe(422);
    expect(((await response.json()) as { detail: string }).detail).toMatch(sentence);
  });

  it('refuses requests without the token', async () => {
    expect((await blur({}, { authorization: '' })).status).toBe(401);
  });
});
