import { describe, expect, it } from 'vitest';
import type { Tensor } from '../ports/inference';
import { bluePlateNet, loadedModel, modelEntry } from '../testing/fake-models';
import { boxOf } from '../testing/plans';
import { createRaster } from '../testing/rasters';
import { judgePlates } from './judge-plates';
import { createPyramid } from './pyramid';

const ENTRY = modelEntry('judge', 'plate-windows', ['license-plate']);
const PLATE = boxOf(300, 200, 380, 220);
const PICTURE = createPyramid(
  createRaster(640, 400, (x, y) =>
    x >= PLATE.x1 && x < PLATE.x2 && y >= PLATE.y1 && y < PLATE.y2 ? [0, 0, 255] : [60, 60, 60],
  ),
);

/** @param says what the network answers to its Nth run, made of what it would say */
const judge = (score: number, says = (outputs: readonly Tensor[], _run: number) => outputs) => {
  const windows: number[] = [];
  const network = bluePlateNet(score);
  const model = loadedModel(ENTRY, (input) => {
    windows.push(input.dims[0] as number);
    return says(network(input), windows.length);
  });
  const proposals = {
    text: [boxOf(290, 195, 365, 225)],
    areas: [],
    mostAreas: 0,
    anywhere: [],
    scansAnywhere: 'never' as const,
    wraps: false,
  };
  const found = judgePlates(PICTURE, proposals, model, 0.3, new AbortController().signal);
  return found.then((plates) => ({ plates, windows }));
};

describe('a proposal', () => {
  it('that is a plate is looked at again, then from nearer and farther, then where it was seen', async () => {
    expect((await judge(0.9)).windows).toEqual([1, 1, 2, 3]);
  });

  it('that may be a plate is looked at again, and no more if it is none then', async () => {
    expect((await judge(0.2)).windows).toEqual([1, 1]);
  });

  it('scores the mean of four looks', async () => {
    const doubted = await judge(0.9, ([plate, corners], run) => [
      { ...plate!, data: run === 3 ? plate!.data.map(() => 0) : plate!.data },
      corners!,
    ]);
    expect((await judge(0.9)).plates[0]!.score).toBeCloseTo(0.9);
    expect(doubted.plates[0]!.score).toBeCloseTo(0.45);
  });

  it('that is nothing is looked at once', async () => {
    expect((await judge(0.05)).windows).toEqual([1]);
  });
});

describe('a plate', () => {
  it('lies at a mean of where three looks see it, the one of usual width counting most', async () => {
    const [exact] = (await judge(0.9)).plates;
    // Of the last run's three windows, the two of other widths see it 10 px of theirs too far to the right.
    const shifted = await judge(0.9, ([plate, corners], run) => {
      const { data, dims } = corners as Tensor;
      const isShifted = (i: number): boolean => run === 4 && i >= 8 && i % 2 === 0;
      return [plate as Tensor, { dims, data: data.map((value, i) => value + (isShifted(i) ? 10 : 0)) }];
    });
    const shift = shifted.plates[0]!.box.x1 - exact!.box.x1;
    const widthOfWindows = (1.35 + 0.8) * 1.8 * (PLATE.x2 - PLATE.x1);
    expect(shift).toBeCloseTo((0.2 * 10 * widthOfWindows) / 128, 0);
  });
});
