import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, type Running, buildProgram } from '../server/testing/built-program';
import { filesOf } from '../server/testing/batch-folder';
import { temporaryFolder } from '../server/testing/temporary-folder';
import { makeDrive, readDrive } from './support/made-bag';
import { writeTinySet } from './support/tiny-set';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-command-line-bag-'));
/** Frames of each camera: enough that a run is killed long before its end. */
const FRAMES = 150;

let program: BuiltProgram;
beforeAll(async () => {
  writeTinySet(join(FOLDER, 'models'));
  program = await buildProgram(join(FOLDER, 'models'));
});
afterAll(() => {
  program.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

it('a bag without image topics is copied, with a sentence that there is nothing to anonymise', async () => {
  const folder = temporaryFolder();
  const drive = await makeDrive(['/points']);
  writeFileSync(join(folder, 'points.mcap'), drive);
  const ended = await program.start(join(folder, 'points.mcap'), '-o', join(folder, 'out')).ended;
  expect(ended).toMatchObject({
    code: 0,
    stderr: `${join(folder, 'points.mcap')}: No topic of this bag has images: there is nothing to anonymise.\n`,
  });
  expect(await readDrive(readFileSync(join(folder, 'out/points.mcap')))).toEqual(await readDrive(drive));
});

it('a killed run leaves nothing under the name of the result, and the next one only a whole bag', async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const [source, output, scratch] = [at('drive.mcap'), at('out'), at('tmp')];
  mkdirSync(scratch);
  // Not compressed: bytes reach the disk while most frames are still to come.
  const drive = await makeDrive(['/front', '/rear', '/points'], FRAMES, 'none');
  writeFileSync(source, drive);
  const start = (): Running =>
    program.startIn({ ...process.env, TMPDIR: scratch }, source, '-o', output, '-a', 'face');
  const filesInOutput = (): string[] => (existsSync(output) ? filesOf(output) : []);
  const bytesWritten = (): number =>
    filesInOutput().reduce((sum, name) => sum + statSync(join(output, name)).size, 0);

  const killed = start();
  await expect.poll(bytesWritten).toBeGreaterThan(0);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(filesInOutput()).toEqual([expect.stringMatching(/^\.veil-private-.*\.part$/)]);
  expect(bytesWritten()).toBeGreaterThan(0);

  expect(await start().ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(scratch)).toEqual([]);
  expect(readdirSync(output).sort()).toEqual(['.veil-batch.jsonl', 'drive.mcap']);
  const [before, after] = [await readDrive(drive), await readDrive(readFileSync(join(output, 'drive.mcap')))];
  expect(after['/points']).toEqual(before['/points']);
  for (const topic of ['/front', '/rear']) {
    const isHidden = after[topic]!.map((data, index) => !Buffer.from(data).equals(before[topic]![index]!));
    expect(isHidden).toEqual(Array<boolean>(FRAMES).fill(true));
  }
});
