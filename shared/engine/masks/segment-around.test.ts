import { expect, it } from 'vitest';
import type { Detection } from '../../domain/detection';
import { modelEntry } from '../../testing/fake-models';
import { boxOf, found } from '../../testing/plans';
import { plainRaster } from '../../testing/rasters';
import type { LoadedModel, Sessions } from '../inference/sessions';
import { createPyramid } from '../pixels/pyramid';
import { shapeBounds } from './fill-shape';
import { segmentAround } from './segment-around';

const SIDE = 64;
const PANORAMA = { width: 400, height: 200 };
const ENTRY = modelEntry('sam', 'efficient-sam', ['person', 'vehicle'], {
  size: [SIDE, SIDE],
  prompts: { points: 'points', labels: 'labels' },
});

/** A network whose mask is the prompted box, and the number of its runs. */
const boxNet = () => {
  const runs = { count: 0 };
  const run: LoadedModel['run'] = async (_makeInput, others = {}) => {
    runs.count += 1;
    const [x1, y1, x2, y2] = others['points']!.data as unknown as [number, number, number, number];
    const data = Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
      const [x, y] = [(i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5];
      return x > x1 && x < x2 && y > y1 && y < y2 ? 9 : -9;
    });
    return [{ data, dims: [1, 1, 1, SIDE, SIDE] }];
  };
  const sessions: Sessions = { parallelRuns: 1, busyMs: () => 0, get: async (entry) => ({ entry, run }) };
  return { runs, sessions };
};

const outline = async (detection: Detection) => {
  const { runs, sessions } = boxNet();
  const pyramid = createPyramid(plainRaster(PANORAMA.width, PANORAMA.height, [90, 90, 90]));
  const { signal } = new AbortController();
  const masks = await segmentAround(pyramid, [detection], { models: [ENTRY], sessions, signal });
  return { shape: masks.get(detection), runs: runs.count };
};

const expectNear = (
  shape: Parameters<typeof shapeBounds>[0] | undefined,
  wanted: ReturnType<typeof boxOf>,
) => {
  const bounds = shape && shapeBounds(shape);
  for (const side of ['x1', 'y1', 'x2', 'y2'] as const) {
    expect(Math.abs((bounds?.[side] ?? Number.NaN) - wanted[side]), side).toBeLessThan(6);
  }
};

it('the mask of an object on the seam of a panorama is that of both its parts, in one piece', async () => {
  const whole = boxOf(370, 60, 430, 140);
  const right = { ...found('vehicle', boxOf(370, 60, 400, 140)), whole };
  expectNear((await outline(right)).shape, whole);
});

it('an object elsewhere has the mask of its box', async () => {
  const box = boxOf(100, 60, 180, 140);
  expectNear((await outline(found('vehicle', box))).shape, box);
});

it('an object at a pole has no mask, and no network runs for it', async () => {
  const atPole = { pole: 'top', box: boxOf(20, 20, 60, 60) } as const;
  const { shape, runs } = await outline({ ...found('person', boxOf(0, 0, 400, 40)), atPole });
  expect([shape, runs]).toEqual([undefined, 0]);
});
