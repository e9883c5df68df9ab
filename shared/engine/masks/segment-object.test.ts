import { describe, expect, it } from 'vitest';
import {
  fakeSessions,
  FAKE_MANIFEST,
  loadedModel,
  maskNet,
  type FakeNetwork,
} from '../../testing/fake-models';
import { coverOf } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import { shapeBounds } from './fill-shape';
import { createPyramid } from '../pixels/pyramid';
import { segment, segmentObject } from './segment';

const SIZE = { width: 160, height: 120 };
const PERSON = boxOf(50, 20, 100, 110);
/** A slanted green figure inside the person's box. */
const isFigure = (x: number, y: number): boolean =>
  y >= 24 && y < 106 && Math.abs(x - 62 - (y - 24) * 0.3) < 12;
const pyramid = createPyramid(
  createRaster(SIZE.width, SIZE.height, (x, y) => (isFigure(x, y) ? [0, 255, 0] : [0, 0, 0])),
);
const [selfie, pose] = [FAKE_MANIFEST.models[2]!, FAKE_MANIFEST.models[3]!];
const outline = (...networks: readonly (readonly [typeof selfie, FakeNetwork])[]) =>
  segmentObject(
    pyramid,
    found('person', PERSON),
    networks.map(([entry, network]) => loadedModel(entry, network)),
  );

describe.each([
  ['stretched', selfie],
  ['in its proportions', pose],
] as const)('a mask network that is shown the person %s', (_name, entry) => {
  it('places the mask on the object', async () => {
    const person = found('person', PERSON);
    const shape = await outline([entry, maskNet('green')]);
    expect(shape?.kind).toBe('runs');
    const plan = planFor(SIZE, [person], { method: 'blacken' }, new Map([[person, shape!]]));
    let wrong = 0;
    let area = 0;
    coverOf(plan).forEach((alpha, i) => {
      const isInside = isFigure(i % SIZE.width, Math.floor(i / SIZE.width));
      area += isInside ? 1 : 0;
      if ((alpha === 255) !== isInside) wrong += 1;
    });
    /* The outline is 200 px long and a network px is 1.5 to 2 px wide. */
    expect(wrong / area).toBeLessThan(0.08);
  });
});

describe('the mask of a person', () => {
  it('has the pixels on which the networks agree, rather than those of which one is sure', async () => {
    const agreed = await outline([selfie, maskNet(0.55)], [pose, maskNet(0.55)]);
    expect(agreed?.kind).toBe('runs');
    const byOne = await outline([selfie, maskNet(1)], [pose, maskNet(0.1)]);
    expect(byOne).toBeUndefined();
    const nowhere = await outline([selfie, maskNet(0.7)], [pose, maskNet(0.2)]);
    expect(nowhere).toBeUndefined();
  });

  it('may extend a little beyond the box, and never beyond the image', async () => {
    const whole = await outline([selfie, maskNet(1)]);
    expect(whole).toMatchObject({ kind: 'runs', box: boxOf(47, 14, 103, 116) });
    const edge = await segmentObject(pyramid, found('person', boxOf(0, 0, 40, 119)), [
      loadedModel(selfie, maskNet(1)),
    ]);
    expect(edge).toMatchObject({ kind: 'runs', box: boxOf(0, 0, 43, 120) });
  });

  it('is replaced by the ellipse of the box if the networks find hardly any pixels', async () => {
    const person = found('person', PERSON);
    const sessions = fakeSessions({ selfie: maskNet(0), pose: maskNet(0.1) });
    const run = { models: [selfie, pose], sessions, signal: new AbortController().signal };
    const shapes = await segment(pyramid, [person], run);
    const { shape } = planFor(SIZE, [person], {}, shapes).regions[0]!;
    expect(shape.kind).toBe('ellipse');
    expect(shapeBounds(shape).y1).toBeLessThan(PERSON.y1);
  });

  it('is made for each person, and for no class without a network', async () => {
    const detections = [
      found('face', PERSON),
      found('person', PERSON),
      found('vehicle', PERSON),
      found('person', boxOf(0, 0, 30, 90)),
    ];
    const sessions = fakeSessions({ selfie: maskNet(1), pose: maskNet(1) });
    const idle = new AbortController().signal;
    const shapes = await segment(pyramid, detections, { models: [selfie, pose], sessions, signal: idle });
    expect([...shapes.keys()]).toEqual([detections[1], detections[3]]);
    expect((await segment(pyramid, detections, { models: [], sessions, signal: idle })).size).toBe(0);
  });

  it('is not made after an abort', async () => {
    const sessions = fakeSessions({ selfie: maskNet(1), pose: maskNet(1) });
    const signal = AbortSignal.abort(new Error('called off'));
    const run = { models: [selfie], sessions, signal };
    await expect(segment(pyramid, [found('person', PERSON)], run)).rejects.toThrow('called off');
  });
});
