import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rampPng } from '#shared/testing/ramp-images';
import { buildProgram, type BuiltProgram } from '../testing/built-program';
import { temporaryFolder } from '../testing/temporary-folder';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** An environment without `CI`, which would disable onnxruntime's telemetry by itself. */
const bareEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: home,
  TMPDIR: home,
});

it('onnxruntime stores no machine identifier and no telemetry events', async () => {
  const home = temporaryFolder();
  const folder = temporaryFolder();
  const photo = join(folder, 'a.png');
  writeFileSync(photo, rampPng(64, 64));
  const { ended } = program.startIn(bareEnvironment(home), photo, '-o', join(folder, 'out'), '-a', 'face');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(home, { recursive: true })).toEqual([]);
});
