import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { bytesAt } from '#shared/engine/formats/header-reader';
import { RAMP_JPEG, rampPng } from '#shared/testing/ramp-images';
import { filesOf } from '../testing/batch-folder';
import { createRaster } from '#shared/testing/rasters';
import { encodeClip, framesOf } from '../testing/clips';
import { buildProgram, type BuiltProgram, type Ended } from '../testing/built-program';
import { createFakeFfmpeg } from '../testing/fake-ffmpeg';
import { temporaryFolder } from '../testing/temporary-folder';

/** Several starts of the program each. `batch-*.test.ts` next to this file check results without processes. */
const RARE = { tags: ['slow'] };

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

let input: string;
let output: string;
beforeEach(() => {
  const folder = temporaryFolder();
  input = join(folder, 'in');
  output = join(folder, 'out');
  mkdirSync(join(input, 'sub'), { recursive: true });
  writeFileSync(join(input, 'a.jpg'), RAMP_JPEG);
  writeFileSync(join(input, 'sub/b.png'), rampPng(40, 30));
  symlinkSync('..', join(input, 'sub/up'));
});

const batch = (...args: string[]): Promise<Ended> =>
  program.start(input, '-o', output, '-a', 'face', ...args).ended;
const json = ({ stdout }: Ended): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('the built program', () => {
  it('anonymises a tree, and skips it when run again', async () => {
    const first = await batch('--save-mask', 'all', '--save-metadata', '--method', 'pixelate');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^2 files done, 1 other file ignored \(.*\)\.\n$/);
    expect(filesOf(output)).toEqual([
      'a.jpg',
      'a.json',
      'a_bin_mask.png',
      'a_ins_mask.png',
      'sub/b.json',
      'sub/b.png',
      'sub/b_bin_mask.png',
      'sub/b_ins_mask.png',
    ]);
    const mask = await readImageHeader(readFileSync(join(output, 'sub/b_ins_mask.png')), LIMITS);
    expect(mask).toMatchObject({ format: 'png', width: 40, height: 30 });

    const second = await batch('--save-mask', 'all', '--save-metadata', '--method', 'pixelate');
    expect(second.code).toBe(0);
    expect(second.stdout).toMatch(/^0 files done, 2 already done/);
  });

  it('keeps camera and place in results only with --keep-metadata', RARE, async () => {
    const exif = { IFD0: { Make: 'ACME', Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } };
    const image = await sharp(rampPng(40, 30)).withExif(exif).jpeg().toBuffer();
    writeFileSync(join(input, 'a.jpg'), image);
    await batch('--keep-metadata');
    const metadata = async (): Promise<string> => {
      const file = readFileSync(join(output, 'a.jpg'));
      const { exif = [] } = await readImageHeader(file, LIMITS);
      return Buffer.from(bytesAt(file, exif)).toString('latin1');
    };
    expect(await metadata()).toContain('ACME');
    expect(await metadata()).not.toContain('Somebody');
    await batch();
    expect(await metadata()).toBe('');
  });

  it('anonymises a video along with images, and reports its progress', async () => {
    const frames = Array.from(
      { length: 8 },
      (_, index) => [index * 0.04, createRaster(96, 64, () => [90, 90, 90])] as const,
    );
    writeFileSync(join(input, 'c.mkv'), await encodeClip({ frames, container: 'mkv' }));
    const ended = await batch('--json', '--save-metadata', '--keep-bit-rate');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(json(ended)).toContainEqual(
      expect.objectContaining({
        event: 'done',
        output: join(output, 'c.mkv.mp4'),
        frames: 8,
        lost_frames: 0,
        lost_frames_uncertain: false,
        padding: [0, 0],
      }),
    );
    expect(json(ended)).toContainEqual(expect.objectContaining({ event: 'progress', frames_done: 8 }));
    expect(await framesOf(readFileSync(join(output, 'c.mkv.mp4')))).toHaveLength(8);
    expect(JSON.parse(readFileSync(join(output, 'c.json'), 'utf8'))).toHaveLength(8);
  });

  it('ends with exit code 1 and a sentence if an image fails, and processes the others', async () => {
    writeFileSync(join(input, 'broken.jpg'), RAMP_JPEG.slice(0, 300));
    const ended = await batch('--json');
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    const lines = json(ended);
    expect(lines).toContainEqual({
      event: 'failed',
      input: join(input, 'broken.jpg'),
      error: expect.stringMatching(/^The JPEG file is .*\.$/),
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'done', output: join(output, 'sub/b.png') }),
    );
    expect(lines.at(-1)).toMatchObject({ event: 'end', done: 2, failed: 1, left: 1, open: 0 });
  });

  it('ends with exit code 2 and a sentence at a wrong flag', async () => {
    const wrong = await program.start(input, '-o', input).ended;
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: `--output must not be the input folder ${input}.\n`,
    });
    expect(await batch('--method', 'smear')).toMatchObject({ code: 2, stdout: '' });
    expect(await program.start('--host', '0.0.0.0').ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Other machines can reach 0\.0\.0\.0: .*\n$/),
    });
  });

  it('stops at a signal, and leaves only complete results', async () => {
    for (let each = 0; each < 30; each++) writeFileSync(join(input, `c${each}.png`), rampPng(300, 200));
    const { child, ended } = program.start(input, '-o', output, '--json', '--workers', '1');
    // Once: a second signal ends the program at once.
    let isSent = false;
    child.stdout?.on('data', (chunk) => {
      if (!isSent && String(chunk).includes('"done"')) isSent = child.kill('SIGINT');
    });
    const stopped = await ended;
    expect(stopped).toMatchObject({ code: 130, stderr: '' });
    const end = json(stopped).at(-1) as { done: number; open: number; failed: number };
    expect(end.failed).toBe(0);
    expect([end.done > 0, end.open > 0]).toEqual([true, true]);
    expect(filesOf(output)).toHaveLength(end.done);
  });

  it('ends at once by a second signal, without an error of its threads', RARE, async () => {
    for (let each = 0; each < 30; each++) writeFileSync(join(input, `c${each}.png`), rampPng(300, 200));
    const { child, ended } = program.start(input, '-o', output, '--json', '--workers', '1');
    const awaited = ['"done"', '"end"'];
    child.stdout?.on('data', (chunk) => {
      while (awaited[0] !== undefined && String(chunk).includes(awaited[0])) {
        awaited.shift();
        child.kill('SIGINT');
      }
    });
    expect(await ended).toMatchObject({ code: null, stderr: '' });
    expect([awaited, child.signalCode]).toEqual([[], 'SIGINT']);
  });

  it(
    'leaves a converted copy after a kill only outside of the results, and only until the next run',
    RARE,
    async () => {
      const scratch = temporaryFolder();
      const ffmpeg = createFakeFfmpeg({ writes: Buffer.from('pixels'), forEver: true });
      const run = (path: string) =>
        program.startIn({ ...process.env, TMPDIR: scratch }, input, '-o', output, '--ffmpeg', path);
      const copies = () => filesOf(scratch).filter((name) => name.endsWith('converted.mp4'));
      writeFileSync(join(input, 'd.avi'), 'RIFF....AVI LIST and the rest');
      const { child, ended } = run(ffmpeg.path);
      await expect.poll(copies, { timeout: 90_000 }).toHaveLength(1);
      child.kill('SIGKILL');
      await ended;
      expect(copies()).toHaveLength(1);
      expect(filesOf(output).filter((name) => /avi|converted/.test(name))).toEqual([]);
      await run('off').ended;
      expect(readdirSync(scratch)).toEqual([]);
    },
  );
});
