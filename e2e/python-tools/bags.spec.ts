import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../../server/testing/built-program';
import { runProgram } from '../clients/programs';
import { writeTinySet } from '../support/tiny-set';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'test-results/bags');
const VENV = join(ROOT, '.cache/python-tools');
const PYTHON = join(VENV, 'bin/python');
const LIMIT_MS = 600_000;
/** Messages of each topic. */
const MESSAGES = 30;

const own = (name: string): string => join(import.meta.dirname, name);
const at = (name: string): string => join(FOLDER, name);

let program: BuiltProgram;

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  if (!existsSync(VENV)) await runProgram('python3', ['-m', 'venv', VENV], { timeoutMs: LIMIT_MS });
  const install = ['-m', 'pip', 'install', '--quiet', '--requirement', own('requirements.txt')];
  await runProgram(PYTHON, install, { timeoutMs: LIMIT_MS });
  writeTinySet(at('models'));
  program = await buildProgram(at('models'));
  const noise = { width: 64, height: 64, channels: 3, background: 'black' } as const;
  const image = sharp({ create: { ...noise, noise: { type: 'gaussian', mean: 120, sigma: 60 } } });
  await writeFile(
    at('rear.jpg'),
    await image
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .jpeg()
      .toBuffer(),
  );
});
afterAll(() => program.remove());

test.each([
  ['LZ4', 'lz4'],
  ['ZSTD', 'zstd'],
  ['NONE', ''],
])('mcap and rosbags read a bag compressed by %s, in which only images differ', async (made, compression) => {
  const source = at(`${made}.mcap`);
  await runProgram(PYTHON, [own('make_bag.py'), source, made, at('rear.jpg')]);
  const ended = await program.start(source, '-o', at('out'), '-a', 'face', '--method', 'blacken').ended;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const printed = await runProgram(PYTHON, [own('read_bag.py'), source, join(at('out'), `${made}.mcap`)]);
  expect(JSON.parse(printed)).toEqual({
    changed: { '/front': MESSAGES, '/rear': MESSAGES },
    rosbags: { '/front': MESSAGES, '/rear': MESSAGES, '/note': MESSAGES },
    counted: 3 * MESSAGES,
    compressions: [compression],
    metadata: [{ vehicle: '7' }],
  });
});
