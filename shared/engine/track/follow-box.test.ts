import { describe, expect, it } from 'vitest';
import { STILL } from '../motion/camera-motion';
import { boxOf } from '../../testing/plans';
import { scene, SIZE, square } from '../../testing/moving-thing';
import { noiseRaster, pixelAt, plainRaster } from '../../testing/rasters';
import { intersectionArea, boxArea, iou, type Box } from '../../domain/boxes';
import type { Raster } from '../../domain/raster';
import { followBox } from './follow-box';
import { TRACKING } from './track-limits';
import type { Moment } from './track-model';

const FRAME_SECONDS = 0.04;
const moment = (position: number, scene = 0): Moment => ({
  position,
  seconds: position * FRAME_SECONDS,
  scene,
  camera: STILL,
});

/** Share of a box that is hidden. */
const hidden = (box: Box, by: Box | undefined): number => (by ? intersectionArea(box, by) / boxArea(box) : 0);

const follow = (boxes: readonly Box[], paint: (box: Box, index: number) => Raster = (box) => scene(box)) => {
  const [first, ...rest] = boxes as [Box, ...Box[]];
  const follower = followBox(paint(first, 0), first, moment(0));
  return rest.map((box, i) => {
    const found = follower.step(paint(box, i + 1), moment(i + 1));
    return {
      found,
      isSeen: follower.isMatched(),
      hidden: hidden(box, found),
      iou: found ? iou(box, found) : 0,
    };
  });
};
const way = (length: number, at: (i: number) => Box): Box[] => Array.from({ length }, (_, i) => at(i));

describe('the content of a drawn box', () => {
  it.each([
    ['stays', 0, 0],
    ['moves slowly', 1.3, 0.4],
    ['moves fast', 9, -3],
  ])('is hidden completely, and little else, when it %s', (_, dx, dy) => {
    const steps = follow(way(24, (i) => square(20 + i * dx, 110 + i * dy)));
    for (const { isSeen, hidden: share, iou: alike } of steps) {
      expect(isSeen).toBe(true);
      expect(share).toBeGreaterThan(0.98);
      expect(alike).toBeGreaterThan(0.55);
    }
  });

  it.each([
    ['nearer', 1.015],
    ['farther away', 1 / 1.015],
  ])('is hidden completely while it moves %s', (_, growth) => {
    const steps = follow(way(30, (i) => square(100 + i, 60, 50 * growth ** i)));
    for (const step of steps) {
      expect(step.isSeen).toBe(true);
      expect(step.hidden).toBeGreaterThan(0.95);
      expect(step.iou).toBeGreaterThan(0.5);
    }
  });

  it('is followed through a change of light', () => {
    const steps = follow(
      way(12, (i) => square(60 + i * 2, 80)),
      (box, i) => scene(box, -i * 4),
    );
    expect(steps.every(({ isSeen, hidden: share }) => isSeen && share > 0.97)).toBe(true);
  });

  it('is followed by small templates too: of a wide box, and of a tiny one', () => {
    for (const [width, height] of [
      [90, 20],
      [12, 10],
    ] as const) {
      const steps = follow(way(12, (i) => boxOf(50 + i * 2, 70, 50 + i * 2 + width, 70 + height)));
      expect(steps.every(({ isSeen, hidden: share }) => isSeen && share > 0.9)).toBe(true);
    }
  });

  it('is found again after a short occlusion', () => {
    const at = (i: number): Box => square(40 + i * 3, 80);
    const steps = follow(way(24, at), (box, i) => (i >= 8 && i < 13 ? scene(square(250, 150)) : scene(box)));
    expect(steps[9]).toMatchObject({ isSeen: false });
    expect(steps[9]!.hidden).toBeGreaterThan(0.8);
    expect(steps.at(-1)).toMatchObject({ isSeen: true });
    expect(steps.at(-1)!.hidden).toBeGreaterThan(0.98);
  });
});

describe('a drawn box that is lost', () => {
  /** One less, as the last one may be a rounding error too late. */
  const coasted = Math.floor(TRACKING.coastSeconds / FRAME_SECONDS) - 1;

  it.each([
    ['the image becomes noise', (i: number) => noiseRaster(SIZE.width, SIZE.height, i), 0],
    ['the image becomes plain', () => plainRaster(SIZE.width, SIZE.height, [90, 90, 90]), 0],
    ['another scene begins, however alike', () => scene(square(60, 80)), 1],
  ])('keeps its last place hidden for a while, then ends: %s', (_, paint, newScene) => {
    const box = square(60, 80);
    const follower = followBox(scene(box), box, moment(0));
    for (let i = 1; i <= 5; i++) follower.step(scene(box), moment(i));
    for (let i = 1; i <= coasted; i++) {
      expect(hidden(box, follower.step(paint(i), moment(5 + i, newScene))), `${i}`).toBe(1);
      expect(follower.isMatched()).toBe(false);
    }
    expect(follower.step(paint(99), moment(7 + coasted, newScene))).toBeUndefined();
    expect(follower.step(scene(box), moment(8 + coasted))).toBeUndefined();
  });

  it('is never found again on a plain surface', () => {
    const plain = plainRaster(SIZE.width, SIZE.height, [90, 90, 90]);
    expect(pixelAt(plain, 0, 0)).toEqual([90, 90, 90]);
    const box = square(60, 80);
    const follower = followBox(plain, box, moment(0));
    expect(hidden(box, follower.step(plain, moment(1)))).toBe(1);
    expect(follower.isMatched()).toBe(false);
    expect(follower.step(plain, moment(coasted + 2))).toBeUndefined();
  });
});
