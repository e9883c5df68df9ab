import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { RAMP_JPEG, rampPng } from '#shared/testing/ramp-images';
import { smallImage } from '#shared/testing/small-images';
import { INSERT } from '#shared/engine/formats/insert-metadata';
import { xmpPacket } from '#shared/testing/xmp-packets';
import { readProblem } from './file-problem';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
});

describe('a folder', () => {
  it('is searched recursively, and the results have the same tree', async () => {
    write('in/a.jpg');
    write('in/b/c/d.png', rampPng(20, 10));
    write('in/b/e.JPG');
    const { isDone, end } = await run([at('in')]);
    expect(filesOf(output)).toEqual(['a.jpg', 'b/c/d.png', 'b/e.JPG']);
    expect([isDone, end]).toEqual([
      true,
      expect.objectContaining({ done: 3, failed: 0, skipped: 0, open: 0 }),
    ]);
  });

  it('keeps its name in the output folder if there are several inputs', async () => {
    write('in/x/a.jpg');
    write('in/y/a.jpg');
    write('in/b.jpg');
    await run([at('in/x'), at('in/y'), at('in/b.jpg')]);
    expect(filesOf(output)).toEqual(['b.jpg', 'x/a.jpg', 'y/a.jpg']);
  });

  it('is skipped if it is the output folder inside an input', async () => {
    const inside = { output: at('in/out') };
    write('in/a.jpg');
    await run([at('in')], inside);
    const { end } = await run([at('in')], inside);
    expect([end['done'], end['skipped']]).toEqual([0, 1]);
    expect(filesOf(inside.output)).toEqual(['a.jpg']);
  });

  it('is refused as its own output folder', async () => {
    write('in/a.jpg');
    await expect(run([at('in')], { output: at('in') })).rejects.toThrow(
      /^--output must not be the input folder/,
    );
    symlinkSync(at('in'), at('link'));
    await expect(run([at('link')], { output: at('in') })).rejects.toThrow(
      /^--output must not be the input folder/,
    );
  });

  it('keeps its formats with --result-format same, and says which cannot be written', async () => {
    write('in/a.webp', smallImage('webp'));
    write('in/b.jpg');
    write('in/c.heic', smallImage('heic'));
    const { end } = await run([at('in'), '--result-format', 'same']);
    expect(filesOf(output)).toEqual(['a.webp', 'b.jpg']);
    expect(end).toMatchObject({ done: 2, failed: 1 });
    await run([at('in/a.webp'), '--result-format', 'avif']);
    expect(filesOf(output)).toContain('a.webp.avif');
  });

  it('with circular links is searched once', async () => {
    write('in/sub/a.jpg');
    symlinkSync('..', at('in/sub/up'));
    symlinkSync('self', at('in/self'));
    symlinkSync('sub/a.jpg', at('in/b.jpg'));
    const { failed, of } = await run([at('in')]);
    expect(filesOf(output)).toEqual(['b.jpg', 'sub/a.jpg']);
    expect(of('left').map(({ input }) => input)).toEqual([at('in/sub/up')]);
    expect(failed).toMatchObject([{ input: at('in/self'), error: 'The symbolic link is circular.' }]);
  });

  it('may contain other and hidden files, which are ignored', async () => {
    write('in/notes.txt', 'text');
    write('in/.hidden/a.jpg');
    write('in/._a.jpg', 'resource fork');
    write('in/a.jpg');
    const { isDone, of } = await run([at('in')]);
    expect(isDone).toBe(true);
    expect(of('left')).toMatchObject([
      { input: at('in/notes.txt'), reason: 'It is neither an image nor a video.' },
    ]);
    expect(filesOf(output)).toEqual(['a.jpg']);
  });
});

describe('a file that is a part of a panorama, or is not stitched', () => {
  it('is processed as an ordinary image that says so, or refused by its name', async () => {
    const part =
      'GPano:ProjectionType="equirectangular" GPano:FullPanoWidthPixels="8000" GPano:CroppedAreaImageWidthPixels="64"';
    write(
      'in/a.jpg',
      INSERT.jpeg(RAMP_JPEG, { exif: undefined, xmp: new TextEncoder().encode(xmpPacket(part)) }),
    );
    write('in/b.insp');
    const { of, failed } = await run([at('in')]);
    expect(of('done')).toMatchObject([{ input: at('in/a.jpg'), projection: 'part' }]);
    expect(failed).toMatchObject([{ input: at('in/b.insp'), error: expect.stringContaining('stitch') }]);
  });
});

describe('an image', () => {
  it('gets masks and metadata next to its result with --save-mask and --save-metadata', async () => {
    write('in/sub/a.jpg');
    await run([at('in'), '--save-mask', 'all', '--save-metadata', '-a', 'face']);
    expect(filesOf(output)).toEqual(
      ['sub/a.jpg', 'sub/a.json', 'sub/a_bin_mask.png', 'sub/a_ins_mask.png'].sort(),
    );
    expect(JSON.parse(readFileSync(join(output, 'sub/a.json'), 'utf8'))).toMatchObject({
      id: 'a.jpg',
      filename: 'a.jpg',
      folder: 'sub',
      detections: [{ type_label: 'face', type: 103, parent_image: 'a.jpg', color: [0, 1, 32] }],
    });
  });

  it('is not changed, and its result has the usual permissions', async () => {
    const input = write('in/a.jpg');
    await run([at('in')]);
    expect(readFileSync(input)).toEqual(Buffer.from(RAMP_JPEG));
    expect(statSync(join(output, 'a.jpg')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('may have any name', async () => {
    const names = ['-a.jpg', 'a b;$(x).jpg', 'é\u202E.jpg', 'a\nb.jpg', '%2e%2e.jpg', 'a..jpg', '~.jpg'];
    for (const name of names) write(`in/${name}`);
    const { isDone } = await run([at('in')]);
    expect(isDone).toBe(true);
    expect(filesOf(output)).toEqual([...names].sort());
  });

  it('whose results would have too long names fails without stopping the run', async () => {
    const long = `${'a'.repeat(250)}.jpg`;
    write(`in/${long}`);
    write('in/b.jpg');
    const { failed } = await run([at('in'), '--save-mask', 'binary']);
    expect(failed).toMatchObject([
      { input: at('in', long), error: 'Its name is too long for the names of its results.' },
    ]);
    expect(filesOf(output)).toEqual(['b.jpg', 'b_bin_mask.png']);
  });

  it('is reported with its detections and the paths of its results', async () => {
    const input = write('in/a.jpg');
    const { of } = await run([at('in'), '-a', 'face', '--save-mask', 'binary']);
    expect(of('done')).toEqual([
      {
        event: 'done',
        input,
        output: join(output, 'a.jpg'),
        binary_mask: join(output, 'a_bin_mask.png'),
        instance_mask: null,
        metadata: null,
        objects: { face: 1 },
        seconds: 0.25,
      },
    ]);
  });

  it('with method detect has masks and metadata only', async () => {
    write('in/a.jpg');
    await run([at('in'), '--method', 'detect', '--save-metadata']);
    expect(filesOf(output)).toEqual(['a.json']);
  });
});

describe('an unreadable file', () => {
  it('is reported in one sentence, and the other files are processed', async () => {
    write('in/1.jpg', 'no image');
    write('in/2.jpg', '');
    write('in/3.jpg', RAMP_JPEG.slice(0, -10));
    write('in/4.gif', 'GIF89a');
    write('in/5', '\0\0\0\x18ftypheic');
    symlinkSync('nowhere', at('in/6.jpg'));
    write('in/7.jpg');
    const { isDone, failed, end } = await run([at('in'), at('in/none.jpg')]);
    expect(failed.map(({ error }) => error)).toEqual([
      'The file is not an image; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF images are supported.',
      'The file is empty.',
      'The GIF file is truncated: it ends before the image does.',
      'The HEIC file is truncated: it ends before the image does.',
      'There is no such file or folder.',
      'There is no such file or folder.',
      'The JPEG file is truncated: it ends before the image does.',
    ]);
    expect(isDone).toBe(false);
    expect(end).toMatchObject({ done: 1, failed: 7 });
    expect(filesOf(output)).toEqual(['in/7.jpg']);
  });

  it('counts as a failure if it is named on the command line', async () => {
    const { failed } = await run([write('notes.txt', 'text')]);
    expect(failed).toHaveLength(1);
  });

  it.each([
    ['EACCES', 'This user has no permission to read it.'],
    ['EIO', 'It cannot be read from the disk.'],
  ])('is reported by the error code %s', (code, sentence) => {
    expect(readProblem(Object.assign(new Error('raw'), { code }))).toBe(sentence);
  });

  it('is reported without the cause after a fault of the product, which is logged', async () => {
    write('in/a.jpg');
    const fault = new Error('secret');
    const { failed, log } = await run([at('in')], { during: () => Promise.reject(fault) });
    expect(failed[0]?.error).toBe('An internal error occurred while it was processed.');
    expect(log.causes).toEqual([fault]);
  });

  it('is reported if it exceeds a limit', async () => {
    write('in/a.png', rampPng(30, 20));
    const { failed } = await run([at('in'), '--max-pixels', '599']);
    expect(failed[0]?.error).toMatch(/600 in all; the limit is 599/);
  });
});

it('a run without files to process loads no models', async () => {
  mkdirSync(at('in'));
  const { end } = await run([at('in')]);
  expect(end).toMatchObject({ done: 0, failed: 0, skipped: 0 });
  expect(existsSync(output)).toBe(true);
});
