import { describe, expect, it } from 'vitest';
import {
  CAMERA_AHEAD,
  dragged,
  cameraAt,
  turnedCamera,
  outlineOf,
  outlinesOf,
  toPanorama,
  toScreen,
  type Camera,
  type Scene,
} from './sphere-geometry';

const PANORAMA = { width: 4000, height: 2000 };
const STAGE = { width: 900, height: 600 };
const MIDDLE = { x: 450, y: 300 };
const scene = (camera: Partial<Camera> = {}): Scene => ({
  camera: turnedCamera(CAMERA_AHEAD, camera),
  stage: STAGE,
  panorama: PANORAMA,
});
/** Along the equator, at the seam, and at both poles. */
const CAMERAS = [
  {},
  { yaw: 2.5 },
  { yaw: -3 },
  { yaw: Math.PI },
  { yaw: 40, pitch: 0.7, fov: 0.4 },
  { yaw: 1, pitch: Math.PI / 2 },
  { yaw: -2, pitch: -Math.PI / 2 },
];

describe('a point of the screen', () => {
  it.each(CAMERAS)('is the same after the way to the panorama and back: %o', (camera) => {
    for (const at of [MIDDLE, { x: 0, y: 0 }, { x: 900, y: 600 }, { x: 30, y: 500 }, { x: 451, y: 302 }]) {
      const back = toScreen(scene(camera), toPanorama(scene(camera), at));
      expect(back?.x).toBeCloseTo(at.x, 4);
      expect(back?.y).toBeCloseTo(at.y, 4);
    }
  });

  it('in the middle is where the camera looks', () => {
    expect(toPanorama(scene(), MIDDLE)).toEqual({ x: 2000, y: 1000 });
    expect(toPanorama(scene({ yaw: Math.PI / 2, pitch: Math.PI / 4 }), MIDDLE).x).toBeCloseTo(3000);
    expect(toPanorama(scene({ yaw: Math.PI / 2, pitch: Math.PI / 4 }), MIDDLE).y).toBeCloseTo(500);
    expect(toPanorama(scene({ pitch: -Math.PI / 2 }), MIDDLE).y).toBeCloseTo(2000);
  });

  it('lies right of the seam where the camera looks over it to the right', () => {
    const { x } = toPanorama(scene({ yaw: Math.PI }), { x: 460, y: 300 });
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(20);
  });
});

it('a point behind the camera is nowhere on the screen', () => {
  expect(toScreen(scene(), { x: 10, y: 1000 })).toBeUndefined();
  expect(toScreen(scene({ yaw: Math.PI }), { x: 10, y: 1000 })).toBeDefined();
});

describe('the outline of a box', () => {
  const boundsOf = (camera: Partial<Camera>, box: Parameters<typeof outlineOf>[1]) => {
    const points = outlineOf(scene(camera), box);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
  };

  it('on the seam is in one piece around the middle of the screen', () => {
    const { x1, x2 } = boundsOf({ yaw: Math.PI }, { x1: 3950, y1: 950, x2: 4050, y2: 1050 });
    expect(x1 + x2).toBeCloseTo(900, 4);
    expect(x2 - x1).toBeGreaterThan(40);
    expect(x2 - x1).toBeLessThan(100);
  });

  it('around a pole surrounds it', () => {
    const { x1, y1, x2, y2 } = boundsOf({ pitch: Math.PI / 2 }, { x1: 0, y1: 0, x2: 4000, y2: 200 });
    expect([x1 + x2, y1 + y2].map(Math.round)).toEqual([900, 600]);
    expect(x2 - x1).toBeCloseTo(y2 - y1, 0);
  });

  it('behind the camera is empty, and next to it ends in front of it', () => {
    expect(outlineOf(scene(), { x1: 0, y1: 900, x2: 100, y2: 1100 })).toEqual([]);
    const nextTo = outlineOf(scene(), { x1: 2500, y1: 900, x2: 3500, y2: 1100 });
    expect(nextTo.every(({ x }) => x > 450)).toBe(true);
  });
});

describe('the outlines of what is drawn', () => {
  const areaOf = (outline: readonly { readonly x: number; readonly y: number }[]): number =>
    outline.reduce((sum, { x, y }, i) => {
      const next = outline[(i + 1) % outline.length]!;
      return sum + (x * next.y - next.x * y) / 2;
    }, 0);

  it('an ellipse fills π/4 of its box', () => {
    const bbox = [1950, 950, 2050, 1050] as const;
    const [ellipse, box] = (['ellipse', 'box'] as const).map((shape) => outlinesOf(scene(), { shape, bbox }));
    expect([ellipse!.length, box!.length]).toEqual([1, 1]);
    expect(areaOf(ellipse![0]!) / areaOf(box![0]!)).toBeCloseTo(Math.PI / 4, 2);
  });

  it('a stroke over the seam is a row of parts on both sides, all clockwise, so that together they are filled', () => {
    const points = [
      [3900, 1000],
      [4000, 900],
      [4100, 1000],
      [4100, 1000],
    ] as const;
    const parts = outlinesOf(scene({ yaw: Math.PI }), { shape: 'stroke', points, radius: 20 });
    expect(parts).toHaveLength(4 + 2);
    for (const part of parts) expect(areaOf(part)).toBeGreaterThan(0);
    const xs = parts.flat().map(({ x }) => x);
    expect(Math.min(...xs) + Math.max(...xs)).toBeCloseTo(900, 4);
  });

  it('behind the camera is empty', () => {
    expect(outlinesOf(scene(), { shape: 'ellipse', bbox: [0, 900, 100, 1100] })).toEqual([]);
  });
});

describe('the look', () => {
  it('at a box has its middle in the middle of the screen', () => {
    const box = { x1: 3900, y1: 300, x2: 4100, y2: 500 };
    const at = toScreen({ ...scene(), camera: cameraAt(CAMERA_AHEAD, box, PANORAMA) }, { x: 4000, y: 400 });
    expect(at?.x).toBeCloseTo(450);
    expect(at?.y).toBeCloseTo(300);
  });

  it('follows the pointer, stops at the poles, and turns around without end', () => {
    const point = toPanorama(scene(), MIDDLE);
    const moved = toScreen({ ...scene(), camera: dragged(scene(), { x: 20, y: 0 }) }, point);
    expect(moved?.x).toBeCloseTo(470, 0);
    expect(dragged(scene(), { x: 0, y: 9e4 }).pitch).toBe(Math.PI / 2);
    expect(dragged(scene({ yaw: 100 }), { x: -9e4, y: 0 }).yaw).toBeGreaterThan(100);
  });
});
