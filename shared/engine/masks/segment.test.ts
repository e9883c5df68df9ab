import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../ports/inference';
import { modelEntry } from '../../testing/fake-models';
import { boxOf, found } from '../../testing/plans';
import { plainRaster } from '../../testing/rasters';
import { createPyramid } from '../pixels/pyramid';
import { segment } from './segment';
import type { LoadedModel, Sessions } from '../inference/sessions';

const SIDE = 64;
const ENTRY = modelEntry('sam', 'efficient-sam', ['person', 'vehicle'], {
  size: [SIDE, SIDE],
  prompts: { points: 'points', labels: 'labels' },
});
const pyramid = createPyramid(plainRaster(200, 160, [90, 90, 90]));
const CAR = found('vehicle', boxOf(60, 40, 140, 100));

type Inputs = Readonly<Record<string, Tensor>>;
/** A network whose first mask is the part of the prompted box that lies left of a share of it; its second is all. */
const leftOf =
  (share: number, seen: Inputs[] = []): LoadedModel['run'] =>
  async (makeInput, others = {}) => {
    seen.push({ ...others, image: makeInput() });
    const [x1, y1, x2, y2] = others['points']!.data as unknown as [number, number, number, number];
    const logits = new Float32Array(2 * SIDE * SIDE).fill(9);
    for (let i = 0; i < SIDE * SIDE; i++) {
      const [x, y] = [(i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5];
      logits[i] = x > x1 && x < x1 + share * (x2 - x1) && y > y1 && y < y2 ? 9 : -9;
    }
    return [{ data: logits, dims: [1, 1, 2, SIDE, SIDE] }];
  };
const sessionsOf = (run: LoadedModel['run']): Sessions => ({
  parallelRuns: 1,
  busyMs: () => 0,
  get: async (entry) => ({ entry, run }),
});
const outline = async (run: LoadedModel['run'], detection = CAR) =>
  (
    await segment(pyramid, [detection], {
      models: [ENTRY],
      sessions: sessionsOf(run),
      signal: new AbortController().signal,
    })
  ).get(detection);
const filled = (shape: Awaited<ReturnType<typeof outline>>): number =>
  shape?.kind === 'runs' ? shape.runs.reduce((sum, run, i) => sum + (i % 2 === 1 ? run : 0), 0) : 0;

describe('a network prompted by a box', () => {
  it('gets the box’s corners in network px, and its best mask is used', async () => {
    const seen: Inputs[] = [];
    const shape = await outline(leftOf(1, seen));
    const { points, labels, image } = seen[0]!;
    // Shown: 30 % of 80 × 60 px more on each side, x 36..164, y 22..118.
    expect([...points!.data]).toEqual([12, 12, 52, 52]);
    expect([...labels!.data]).toEqual([2, 3]);
    expect([points!.dims, labels!.dims, image!.dims]).toEqual([
      [1, 1, 2, 2],
      [1, 1, 2],
      [1, 3, SIDE, SIDE],
    ]);
    expect(filled(shape)).toBeGreaterThan(0.95 * 80 * 60);
    expect(filled(shape)).toBeLessThan(1.05 * 80 * 60);
  });

  it('is replaced by the default shape if its mask covers only a part', async () => {
    expect(filled(await outline(leftOf(0.5)))).toBeGreaterThan(0.45 * 80 * 60);
    expect(await outline(leftOf(0.3))).toBeUndefined();
  });

  it('does not run for other classes', async () => {
    const seen: Inputs[] = [];
    expect(await outline(leftOf(1, seen), found('face', CAR.box))).toBeUndefined();
    expect(seen).toEqual([]);
  });

  it('stays inside the image', async () => {
    const shape = await outline(leftOf(1), found('person', boxOf(0, 0, 60, 159)));
    expect(shape).toMatchObject({ box: boxOf(0, 0, 63, 160) });
  });
});
