import { describe, expect, it } from 'vitest';
import { fakeSessions, modelEntry, outlineNet, type FakeNetwork } from '../../testing/fake-models';
import { coverOf } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import type { Tensor } from '../../ports/inference';
import type { Box } from '../../domain/boxes';
import { createPyramid } from '../pixels/pyramid';
import { segment } from './segment';

const SIZE = { width: 320, height: 240 };
const CAR = boxOf(60, 60, 220, 140);
const ENTRY = modelEntry('outlines', 'object-outline', ['vehicle'], {
  sizes: [
    [128, 64],
    [96, 96],
    [64, 128],
  ],
});

/** Green is the car: a cabin on a body, with a window through which the street is seen. */
const isCar = (x: number, y: number): boolean =>
  (x >= 62 && x < 218 && y >= 92 && y < 138) || (x >= 80 && x < 200 && y >= 62 && y < 92);
const isWindow = (x: number, y: number): boolean => x >= 120 && x < 160 && y >= 72 && y < 92;
const pyramid = createPyramid(
  createRaster(SIZE.width, SIZE.height, (x, y) => (isCar(x, y) && !isWindow(x, y) ? [0, 255, 0] : [0, 0, 0])),
);

const shapeOf = async (network: FakeNetwork, box: Box = CAR) => {
  const vehicle = found('vehicle', box);
  const { signal } = new AbortController();
  const sessions = fakeSessions({ outlines: network });
  const shapes = await segment(pyramid, [vehicle], { models: [ENTRY], sessions, signal });
  return { vehicle, shapes };
};
const hiddenBy = async (network: FakeNetwork, box?: Box) => {
  const { vehicle, shapes } = await shapeOf(network, box);
  return coverOf(planFor(SIZE, [vehicle], { method: 'blacken' }, shapes));
};
const at = (cover: Uint8Array, x: number, y: number): number | undefined => cover[y * SIZE.width + x];

const whole: FakeNetwork = (input) =>
  outlineNet(input).map(({ data, dims }) => ({ data: data.map(() => 1), dims }));

describe('the mask of a vehicle', () => {
  it('covers the vehicle, and not the corners of its box', async () => {
    const cover = await hiddenBy(outlineNet);
    let wrong = 0;
    let area = 0;
    cover.forEach((alpha, i) => {
      const [x, y] = [i % SIZE.width, Math.floor(i / SIZE.width)];
      area += isCar(x, y) ? 1 : 0;
      if ((alpha === 255) !== isCar(x, y)) wrong += 1;
    });
    // A cell of the map is 7 px wide and the outline is 470 px long.
    expect(wrong / area).toBeLessThan(0.15);
    expect([at(cover, 66, 68), at(cover, 214, 68)]).toEqual([0, 0]);
  });

  it('has no holes: windows are hidden too', async () => {
    const cover = await hiddenBy(outlineNet);
    expect([at(cover, 140, 82), at(cover, 124, 76)]).toEqual([255, 255]);
  });

  it('uses the input size with the proportions nearest to the box’s', async () => {
    const seen: (readonly number[])[] = [];
    const spy: FakeNetwork = (input) => {
      seen.push(input.dims);
      return outlineNet(input);
    };
    await shapeOf(spy);
    await shapeOf(spy, boxOf(100, 60, 180, 130));
    await shapeOf(spy, boxOf(100, 20, 150, 130));
    expect(seen).toEqual([
      [1, 3, 64, 128],
      [1, 3, 96, 96],
      [1, 3, 128, 64],
    ]);
  });

  it('is replaced by the default shape if it covers only a part, because the rest would stay visible', async () => {
    const leftPart =
      (share: number): FakeNetwork =>
      (input) => {
        const [{ data, dims }] = outlineNet(input) as [Tensor];
        const columns = dims[3]!;
        return [{ data: data.map((_, i) => ((i % columns) / columns < share ? 1 : 0)), dims }];
      };
    expect((await shapeOf(leftPart(0.65))).shapes.size).toBe(0);
    expect((await shapeOf(leftPart(1))).shapes.size).toBe(1);
  });

  it('reaches a lower threshold if it covers only a part otherwise, but never noise', async () => {
    const sureOfLeft =
      (right: number): FakeNetwork =>
      (input) => {
        const [{ data, dims }] = outlineNet(input) as [Tensor];
        const columns = dims[3]!;
        return [{ data: data.map((_, i) => (i % columns < 0.65 * columns ? 1 : right)), dims }];
      };
    // The threshold is 0.5.
    expect(at(await hiddenBy(sureOfLeft(0.2)), 218, 120)).toBe(255);
    expect((await shapeOf(sureOfLeft(0.01))).shapes.size).toBe(0);
  });

  it('is replaced by the default shape if it fills little of the box', async () => {
    const nothing: FakeNetwork = (input) =>
      outlineNet(input).map(({ data, dims }) => ({ data: data.map(() => 0.01), dims }));
    expect((await shapeOf(nothing)).shapes.size).toBe(0);
    expect((await shapeOf(outlineNet)).shapes.size).toBe(1);
  });

  it('is also made for tiny vehicles, which have the least exact boxes', async () => {
    expect((await shapeOf(outlineNet, boxOf(100, 104, 140, 111))).shapes.size).toBe(1);
  });

  it('extends a little beyond the box if the vehicle does, up to a limit', async () => {
    const cover = await hiddenBy(outlineNet, boxOf(70, 60, 210, 140));
    // 8 % of 140 px.
    expect([at(cover, 64, 120), at(cover, 62, 120), at(cover, 57, 120)]).toEqual([255, 255, 0]);
    expect((await shapeOf(whole)).shapes.values().next().value).toMatchObject({
      box: boxOf(47, 53, 233, 147),
    });
    // 1.5 px above and below are more than 8 % of 7 px.
    const tiny = await shapeOf(whole, boxOf(100, 104, 140, 111));
    expect(tiny.shapes.values().next().value).toMatchObject({ box: boxOf(96, 102, 144, 113) });
  });
});
