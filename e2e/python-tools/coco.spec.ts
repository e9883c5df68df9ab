import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Region, Shape } from '#shared/domain/plan';
import { createCocoWriter } from '../../server/batch/exports/coco';
import { exportedFrame } from '../../server/batch/exports/exported-frame';
import { runProgram } from '../clients/programs';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'test-results/python-tools');
const VENV = join(ROOT, '.cache/python-tools');
const LIMIT_MS = 600_000;
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
});

test('pycocotools reads the masks and the categories of an export, pixel by pixel', async () => {
  const regions = SHAPES.map(([shape], id) => ({ id, shape }) as Region);
  const detections = SHAPES.map((_, id) => ({
    ...{ id, objectClass: 'person', score: 0.9, box: box(1, 2, 3, 4), isAnonymised: true },
    color: [0, 1, 128],
  })) as Parameters<typeof exportedFrame>[1]['detections'];
  const frame = { ...SIZE, detections, durationS: 0, index: 7, timestampUs: 280_000 };
  const writer = createCocoWriter();
  const path = join(FOLDER, 'trip-coco.json');
  await writeFile(
    path,
    writer.add(exportedFrame('trip.mp4', frame, { method: 'blur', regions })) + writer.end(),
  );
  const printed = await runProgram(join(VENV, 'bin/python'), [own('read_coco.py'), path]);
  expect(JSON.parse(printed)).toEqual(
    SHAPES.map(([, pixels, bounds]) => ({
      ...{ category: 'person', image: 'trip.mp4#7', area: pixels, pixels, box: bounds },
    })),
  );
});
