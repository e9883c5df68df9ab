import { describe, expect, it } from 'vitest';
import { defaultImageOptions } from '../../domain/options';
import type { Raster } from '../../domain/raster';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions, modelEntry } from '../../testing/fake-models';
import { coverOf, redacted } from '../../testing/hidden';
import { panoramaOf, showsThing, type SphereThing } from '../../testing/panoramas';
import { boxOf, found } from '../../testing/plans';
import { createRaster, pixelAt } from '../../testing/rasters';
import type { Detection } from '../../domain/detection';
import { joinAtSeam, splitAtSeam } from '../fusion/seam';
import { createPyramid } from '../pixels/pyramid';
import { planRedaction } from '../redact/plan-redaction';
import { findAround } from './find-around';
import type { SearchScope } from './plan-search';

const WIDTH = 512;
const SIZE = { width: WIDTH, height: WIDTH / 2 };
const OPTIONS = defaultImageOptions({ classes: ['person'], format: { kind: 'pano', width: 2048 } });
const MANIFEST = {
  models: [
    modelEntry('objects', 'centernet', ['person', 'vehicle'], { multipleOf: 32, longSides: [256] }),
    ...FAKE_MANIFEST.models.filter(({ id }) => id === 'text'),
  ],
};
const person = (place: Omit<SphereThing, 'at'>): SphereThing => ({ ...place, at: () => [0, 250, 0] });

const find = (panorama: Raster, scope?: SearchScope): Promise<Detection[]> =>
  findAround(
    createPyramid(panorama),
    OPTIONS,
    { sessions: fakeSessions({ objects: colourCenterNet(0.9) }), manifest: MANIFEST },
    { signal: new AbortController().signal, scope },
  );
const planOf = (detections: readonly Detection[]) =>
  planRedaction(
    SIZE,
    detections.flatMap((one) => splitAtSeam(one, WIDTH)),
    new Map(),
    OPTIONS,
  );
/** Px of a thing that are not fully hidden. */
const leaks = (thing: SphereThing, detections: readonly Detection[]): number => {
  const cover = coverOf(planOf(detections));
  return cover.filter(
    (alpha, at) => alpha < 255 && showsThing(thing, at % WIDTH, Math.floor(at / WIDTH), SIZE),
  ).length;
};

describe('a panorama', () => {
  it.each([
    ['over the camera', { longitude: 0, latitude: 88, halfAngle: 12 }],
    ['under the camera', { longitude: 200, latitude: -84, halfAngle: 10 }],
    ['in the top cap', { longitude: 120, latitude: 70, halfAngle: 8 }],
    ['in the bottom cap, on the seam', { longitude: 1, latitude: -70, halfAngle: 8 }],
  ])('hides a person %s, found in the view of the pole', async (_where, place) => {
    const thing = person(place);
    const atPole = (await find(panoramaOf(WIDTH, [thing]))).filter((one) => one.atPole);
    expect(atPole).toHaveLength(1);
    expect(leaks(thing, atPole)).toBe(0);
  });

  it('leaves the poles to the tracks in a quick search', async () => {
    const panorama = panoramaOf(WIDTH, [person({ longitude: 0, latitude: 88, halfAngle: 12 })]);
    const quick = await find(panorama, { depth: 'quick', expected: [], isVideo: true });
    expect(quick.filter((one) => one.atPole)).toEqual([]);
  });

  it('hides a person on the seam as one, on both edges', async () => {
    const thing = person({ longitude: 2, latitude: 0, halfAngle: 12 });
    const detections = await find(panoramaOf(WIDTH, [thing]));
    const over = detections.filter(({ box }) => box.x2 > WIDTH);
    expect(over).toHaveLength(1);
    // An ellipse leaves out the corners of a box.
    expect(leaks({ ...thing, halfAngle: 8 }, over)).toBe(0);
  });
});

describe('the seam of a panorama', () => {
  it('joins parts of one object, and nothing else', () => {
    const left = found('person', boxOf(0, 50, 30, 100));
    const right = found('person', boxOf(WIDTH - 20, 55, WIDTH, 98), 0.6);
    const other = found('person', boxOf(0, 150, 30, 200));
    const face = found('face', boxOf(WIDTH - 20, 150, WIDTH, 200));
    expect(joinAtSeam([left, right, other, face], WIDTH)).toEqual([
      { objectClass: 'person', score: 0.9, box: boxOf(WIDTH - 20, 50, WIDTH + 30, 100) },
      other,
      face,
    ]);
  });

  it.each(['face', 'person'] as const)('does not show in a hidden %s', (objectClass) => {
    const wild = createRaster(WIDTH, SIZE.height, (x, y) => [(x * 7) % 256, (y * 5) % 256, (x * y) % 256]);
    const result = redacted(wild, planOf([found(objectClass, boxOf(WIDTH - 60, 75, WIDTH + 50, 205))]));
    const steps = [WIDTH - 40, WIDTH - 10, WIDTH - 1, 9, 29].map((x) => {
      const [a, b] = [pixelAt(result, x, 130), pixelAt(result, (x + 1) % WIDTH, 130)];
      return Math.max(...a.map((level, channel) => Math.abs(level - b[channel]!)));
    });
    expect(Math.max(...steps)).toBeLessThanOrEqual(3);
  });

  it('does not show next to an object whose margin reaches over it', () => {
    const cover = coverOf(planOf([found('face', boxOf(WIDTH - 42, 100, WIDTH - 3, 150))]));
    const at = (x: number): number => cover[125 * WIDTH + x]!;
    expect(at(WIDTH - 1)).toBe(255);
    expect(at(0)).toBe(255);
  });
});

describe('the margin of an object near a pole', () => {
  it('is wider than at the horizon, at its end there', () => {
    const widthOf = (y: number): number => {
      const { shape } = planOf([found('face', boxOf(200, y, 240, y + 30))]).regions[0]!;
      return shape.kind === 'ellipse' ? shape.box.x2 - shape.box.x1 : 0;
    };
    expect(widthOf(113)).toBeGreaterThanOrEqual(40 * 1.34);
    expect(widthOf(113)).toBeLessThan(56);
    expect(widthOf(15)).toBeGreaterThan(1.5 * widthOf(113));
  });
});
