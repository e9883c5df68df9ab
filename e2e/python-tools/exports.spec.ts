import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Region, ReportedFrameDetection, Shape } from '#shared/domain/plan';
import { rampPng } from '#shared/testing/ramp-images';
import { exportedFrame, exportedImage, type ExportedFrame } from '../../server/batch/exports/exported-frame';
import { EXPORTS, type ExportFormat } from '../../server/batch/exports/exports';
import { runProgram } from '../clients/programs';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'test-results/python-tools');
const VENV = join(ROOT, '.cache/python-tools');
const LIMIT_MS = 600_000;
const LABELME = 'labelme==6.3.1';
const SIZE = { width: 400, height: 300 };

const own = (name: string): string => join(import.meta.dirname, name);
const box = (x1: number, y1: number, x2: number, y2: number) => ({ x1, y1, x2, y2 });

/** Shapes with the number of pixels that they cover, and the box around these: [x, y, width, height]. */
const SHAPES: readonly (readonly [shape: Shape, pixels: number, bounds: readonly number[]])[] = [
  [{ kind: 'box', box: box(10, 20, 110, 70) }, 5000, [10, 20, 100, 50]],
  [{ kind: 'box', box: box(-50, 250, 60, 900) }, 3000, [0, 250, 60, 50]],
  [{ kind: 'runs', box: box(390, 290, 400, 300), runs: [5, 90, 5] }, 90, [390, 290, 10, 10]],
  [{ kind: 'box', box: box(0, 0, 400, 300) }, 120_000, [0, 0, 400, 300]],
];

beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  if (!existsSync(VENV)) await runProgram('python3', ['-m', 'venv', VENV], { timeoutMs: LIMIT_MS });
  const install = ['-m', 'pip', 'install', '--quiet', '--requirement', own('requirements.txt')];
  await runProgram(join(VENV, 'bin/python'), install, { timeoutMs: LIMIT_MS });
  // Its reader alone: the rest of it needs a desktop.
  await runProgram(join(VENV, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--no-deps', LABELME], {
    timeoutMs: LIMIT_MS,
  });
});

/** Writes an export. @returns its path */
const exportAs = async (format: ExportFormat, name: string, frames: readonly ExportedFrame[]) => {
  const writer = EXPORTS[format].create();
  const path = join(FOLDER, name);
  const text = frames.map(writer.add);
  await writeFile(path, [...text, ...writer.end()].join(''));
  return path;
};

/** What a script reads of an export. */
const readBy = async (script: string, path: string): Promise<unknown> =>
  JSON.parse(await runProgram(join(VENV, 'bin/python'), [own(script), path]));

test('pycocotools reads the masks and the categories of an export, pixel by pixel', async () => {
  const regions = SHAPES.map(([shape], id) => ({ id, shape }) as Region);
  const detections = SHAPES.map((_, id) => ({
    ...{ id, objectClass: 'person', score: 0.9, box: box(1, 2, 3, 4), isAnonymised: true },
    color: [0, 1, 128],
  })) as Parameters<typeof exportedFrame>[1]['detections'];
  const frame = { ...SIZE, detections, durationS: 0, index: 7, timestampUs: 280_000 };
  const frames = [exportedFrame('trip.mp4', frame, { method: 'blur', regions })];
  const path = await exportAs('coco', 'trip-coco.json', frames);
  expect(await readBy('read_coco.py', path)).toEqual(
    SHAPES.map(([, pixels, bounds]) => ({
      ...{ category: 'person', image: 'trip.mp4#7', area: pixels, pixels, box: bounds },
    })),
  );
});

const detection = (id: number, trackId?: number): ReportedFrameDetection => ({
  ...{ id, objectClass: 'face', score: 0.75, box: box(10, 20, 30, 45), isAnonymised: id === 0 },
  ...{ color: [0, 1, 103], ...(trackId !== undefined && { trackId }) },
});
const IMAGE = { ...SIZE, durationS: 0, detections: [detection(0), detection(1)] };

test('datumaro reads the boxes of an image from an export for CVAT', async () => {
  const name = 'a & "b" <ü>';
  await mkdir(join(FOLDER, 'images'), { recursive: true });
  await writeFile(join(FOLDER, 'images', `${name}.png`), rampPng(SIZE.width, SIZE.height));
  const path = await exportAs('cvat', 'street-cvat.xml', [exportedImage(`${name}.png`, IMAGE)]);
  const object = { label: 'face', box: [10, 20, 20, 25], score: '0.75' };
  expect(await readBy('read_cvat.py', path)).toEqual([
    {
      id: name,
      objects: [
        { ...object, hidden: true },
        { ...object, hidden: false },
      ],
    },
  ]);
});

test('datumaro reads the tracks of a video from an export for CVAT', async () => {
  const frames = [[7], [], [7, 9]].map((tracks, index) =>
    exportedFrame('trip.mp4', {
      ...{ ...SIZE, index, timestampUs: index * 40_000, durationS: 0 },
      detections: tracks.map((track) => detection(0, track)),
    }),
  );
  const path = await exportAs('cvat', 'trip-cvat.xml', frames);
  const object = { label: 'face', box: [10, 20, 20, 25], score: '0.75', hidden: true };
  expect(await readBy('read_cvat.py', path)).toEqual([
    { id: 'frame_000000', objects: [{ ...object, track: 0, outside: false }] },
    { id: 'frame_000001', objects: [{ ...object, track: 0, outside: true }] },
    {
      id: 'frame_000002',
      objects: [
        { ...object, track: 0, outside: false },
        { ...object, track: 1, outside: false },
      ],
    },
  ]);
});

test('the reader of LabelMe reads the boxes of an image', async () => {
  await writeFile(join(FOLDER, 'street.png'), rampPng(SIZE.width, SIZE.height));
  const path = await exportAs('labelme', 'street-labelme.json', [exportedImage('street.png', IMAGE)]);
  const points = [
    [10, 20],
    [30, 45],
  ];
  const shape = { label: 'face', points, type: 'rectangle', description: 'score 0.75' };
  expect(await readBy('read_labelme.py', path)).toEqual({
    image: 'street.png',
    shapes: [
      { ...shape, flags: { hidden: true } },
      { ...shape, flags: { hidden: false } },
    ],
  });
});
