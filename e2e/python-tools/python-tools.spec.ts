import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STANDARD_HOST } from '#shared/testing/conformance';
import { runProgram } from '../clients/programs';
import { flagsFor } from '../support/host-flags';
import { smallSample } from '../support/samples';
import type { RunningServer } from '../support/start-server';
import { createTinyProduct, startTinyServer } from '../support/tiny-product';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'shared/api/contract/openapi.json');
const FOLDER = join(ROOT, 'test-results/python-tools');
/** Kept between runs, because the packages are downloaded. */
const PYTHON = join(ROOT, '.cache/python-tools');
const LIMIT_MS = 1_500_000;
/** Cases of each operation in the random phase; with those of the systematic phase about 3,000 in all. */
const CASES = '60';
const MIN_CASES = 2000;

const tool = (name: string, args: readonly string[]): Promise<string> =>
  runProgram(join(PYTHON, 'bin', name), args, { cwd: FOLDER, timeoutMs: LIMIT_MS });
const own = (name: string): string => join(import.meta.dirname, name);

let server: RunningServer;

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  if (!existsSync(PYTHON)) await runProgram('python3', ['-m', 'venv', PYTHON], { timeoutMs: LIMIT_MS });
  await tool('pip', ['install', '--quiet', '--requirement', own('requirements.txt')]);
  await createTinyProduct();
  server = await startTinyServer(flagsFor(STANDARD_HOST));
});

afterAll(() => server.stop());

test('openapi-python-client generates, without a warning, a client that uploads, polls, edits and downloads', async () => {
  const said = await tool('openapi-python-client', [
    ...['generate', '--path', DOCUMENT, '--config', own('generator.yml')],
    ...['--output-path', join(FOLDER, 'generated')],
  ]);
  expect(said).not.toMatch(/warning/i);
  const image = join(FOLDER, 'street.jpg');
  await writeFile(image, await smallSample(1));
  const env = { ...process.env, PYTHONPATH: join(FOLDER, 'generated') };
  const args = [own('client.py'), server.origin, image, FOLDER];
  const printed = await runProgram(join(PYTHON, 'bin/python'), args, { timeoutMs: LIMIT_MS, env });
  expect(printed.trim()).toBe('success');
  const [before, after] = await Promise.all(
    [image, join(FOLDER, 'anonymised.jpg')].map((path) => sharp(path).metadata()),
  );
  expect(after).toMatchObject({ format: 'jpeg', width: before!.width, height: before!.height });
});

test('schemathesis finds no answer that the document does not describe, in 2,000 cases', async () => {
  const printed = await tool('schemathesis', [
    ...['--config-file', own('schemathesis.toml'), 'run', DOCUMENT, '--url', server.origin],
    ...['--phases', 'coverage,fuzzing', '--max-examples', CASES, '--no-color'],
  ]);
  const [, generated = '0', passed] = /(\d+) generated, (\d+) passed/.exec(printed) ?? [];
  expect(passed, printed).toBe(generated);
  expect(Number(generated)).toBeGreaterThan(MIN_CASES);
});
