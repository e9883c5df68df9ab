import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listResults } from '../review/list-results';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';
import { rampPng } from '#shared/testing/ramp-images';
import type { ExportedFrame } from './exports/exported-frame';

const MP4 = '\0\0\0\x18ftypisom and the rest'.padEnd(200);

interface Coco {
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly images: readonly Readonly<Record<string, unknown>>[];
  readonly annotations: readonly Readonly<Record<string, unknown>>[];
  readonly videos?: readonly object[];
}

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
});

const textOf = (name: string): string => readFileSync(join(output, name), 'utf8');
const cocoOf = (name: string): Coco => JSON.parse(textOf(name)) as Coco;
const linesOf = (name: string): ExportedFrame[] =>
  textOf(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedFrame);

describe('an export', () => {
  it('of an image has its objects, with the pixels that are hidden', async () => {
    write('in/sub/a.png', rampPng(20, 10));
    const flags = ['-a', 'face', '--export', 'coco', '--export', 'jsonl'];
    const { of } = await run([at('in'), ...flags]);
    expect(filesOf(output)).toEqual(['sub/a-coco.json', 'sub/a.jsonl', 'sub/a.png']);
    expect(of('done')).toMatchObject([
      { exports: { coco: join(output, 'sub/a-coco.json'), jsonl: join(output, 'sub/a.jsonl') } },
    ]);
    const size = { width: 20, height: 10 };
    expect(linesOf('sub/a.jsonl')).toEqual([
      {
        ...{ file: 'a.png', ...size },
        objects: [
          {
            ...{ id: 0, class: 'face', score: 0.9, bbox: [0, 0, 8, 8], hidden: true },
            mask: { size: [10, 20], counts: expect.any(String) },
            redaction: { method: 'blur', bbox: [0, 0, 8, 8], cell_px: 4, feather_px: 0 },
          },
        ],
      },
    ]);
    const { categories, images, annotations, ...others } = cocoOf('sub/a-coco.json');
    expect(categories).toContainEqual({ id: 103, name: 'face', supercategory: 'object' });
    expect(images).toEqual([{ id: 1, file_name: 'a.png', ...size }]);
    expect(annotations).toMatchObject([
      { id: 1, image_id: 1, category_id: 103, bbox: [0, 0, 8, 8], area: 64, attributes: { hidden: true } },
    ]);
    expect(others).toEqual({});
  });

  it('of a video has each frame and each track, also beyond one file of frames', async () => {
    write('in/a.mp4', MP4);
    await run([at('in'), '--export', 'coco', '--export', 'jsonl'], { video: { frameCount: 1001 } });
    const lines = linesOf('a.jsonl');
    expect(lines).toHaveLength(1001);
    expect(lines[1000]).toMatchObject({ file: 'a.mp4', frame: 1000, time: 40, objects: [{ track: 7 }] });
    const { images, annotations, videos } = cocoOf('a-coco.json');
    expect([images.length, annotations.length, videos]).toEqual([1001, 1001, [{ id: 1, name: 'a.mp4' }]]);
    expect(images[1000]).toMatchObject({ id: 1001, file_name: 'a.mp4#1000', video_id: 1, frame_id: 1000 });
    expect(annotations[1000]).toMatchObject({ id: 1001, image_id: 1001, track_id: 7 });
    expect(new Set(annotations.map(({ id }) => id)).size).toBe(1001);
  });

  it('of a file without objects is valid', async () => {
    write('in/a.mp4', MP4);
    await run([at('in'), '--export', 'coco', '--export', 'jsonl'], { video: { frameCount: 0 } });
    expect(cocoOf('a-coco.json')).toMatchObject({ images: [], annotations: [] });
    expect(textOf('a.jsonl')).toBe('');
  });

  it('for CVAT has the boxes of an image, and the tracks of a video', async () => {
    write('in/a & "b".png', rampPng(20, 10));
    write('in/c.mp4', MP4);
    await run([at('in'), '-a', 'face', '--export', 'cvat'], { video: { frameCount: 1001 } });
    const image = textOf('a & "b"-cvat.xml');
    expect(image).toContain('<image id="0" name="a &amp; &quot;b&quot;.png" width="20" height="10">');
    expect(image).toContain('<box label="face" source="auto" occluded="0" xtl="0" ytl="0" xbr="8" ybr="8"');
    const video = textOf('c-cvat.xml');
    expect(video.match(/<track /g)).toHaveLength(1);
    expect(video.match(/<box frame="\d+" outside="0"/g)).toHaveLength(1001);
  });

  it('for LabelMe is written for images alone', async () => {
    write('in/a.png', rampPng(20, 10));
    write('in/c.mp4', MP4);
    await run([at('in'), '-a', 'face', '--export', 'labelme']);
    expect(filesOf(output)).toEqual(['a-labelme.json', 'a.png', 'c.mp4']);
    expect(JSON.parse(textOf('a-labelme.json'))).toMatchObject({
      ...{ imagePath: 'a.png', imageData: null, imageWidth: 20, imageHeight: 10 },
      shapes: [
        {
          label: 'face',
          shape_type: 'rectangle',
          points: [
            [0, 0],
            [8, 8],
          ],
          flags: { hidden: true },
        },
      ],
    });
  });

  it('of objects that are only detected says that they are visible', async () => {
    write('in/a.jpg');
    await run([at('in'), '-a', 'face', '--method', 'detect', '--export', 'jsonl']);
    expect(filesOf(output)).toEqual(['a.jsonl']);
    expect(linesOf('a.jsonl')[0]?.objects).toMatchObject([{ class: 'face', hidden: false }]);
  });

  it('that is asked for later makes files be processed again, and one that is not any more is removed', async () => {
    write('in/a.jpg');
    await run([at('in')]);
    expect((await run([at('in'), '--export', 'coco'])).processed).toBe(1);
    expect((await run([at('in'), '--export', 'coco'])).processed).toBe(0);
    expect(filesOf(output)).toEqual(['a-coco.json', 'a.jpg']);
    await run([at('in')]);
    expect(filesOf(output)).toEqual(['a.jpg']);
  });

  it('is known to a review, which replaces it with its result', async () => {
    write('in/a.jpg');
    await run([at('in'), '--export', 'coco', '--save-metadata']);
    const { results } = await listResults(output, [at('in')]);
    expect(results).toMatchObject([{ outputs: { metadata: 'a.json', exports: { coco: 'a-coco.json' } } }]);
  });

  it('has one of the known formats', async () => {
    await expect(run([at('in'), '--export', 'voc'])).rejects.toThrow(
      '--export must be one of coco, cvat, labelme, jsonl, not "voc".',
    );
  });
});
