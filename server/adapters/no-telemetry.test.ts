import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rampPng } from '#shared/testing/pictures';
import { buildProgram, type BuiltProgram } from '../testing/built-program';
import { temporaryFolder } from '../testing/temporary-folder';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** Not even `CI`, with which onnxruntime keeps quiet by itself. */
const bareEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: home,
  TMPDIR: home,
});

it('onnxruntime makes no identifier of the machine and keeps no events, which it would send', async () => {
  const home = temporaryFolder();
  const folder = temporaryFolder();
  const picture = join(folder, 'a.png');
  writeFileSync(picture, rampPng(64, 64));
  const { ended } = program.startIn(bareEnvironment(home), picture, '-o', join(folder, 'out'), '-a', 'face');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(home, { recursive: true })).toEqual([]);
});
