import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import type { Box } from '../../domain/boxes';
import { fuseScales, type ScaleDetections } from './fuse-passes';
import { fitAtScale } from '../pixels/letterbox';
import type { TileDetection } from './merge';

const IMAGE = { x: 0, y: 0, width: 640, height: 480, wraps: false };
const face = (score: number, box: Box): TileDetection => ({
  objectClass: 'face',
  score,
  box,
  cut: { x: false, y: false },
});
const pass = (scale: number, found: readonly TileDetection[], tile = IMAGE): ScaleDetections => ({
  fit: fitAtScale(tile, scale, 32),
  found,
});
const scoresOf = (passes: readonly ScaleDetections[]): number[] =>
  fuseScales(passes).map(({ score }) => Math.round(score * 100) / 100);

describe('detections of several passes', () => {
  const box = boxOf(100, 100, 130, 130);

  it('are one if they overlap, with the mean of their scores and of their edges', () => {
    const found = fuseScales([pass(1, [face(0.5, box)]), pass(2, [face(0.5, boxOf(102, 100, 132, 130))])]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ score: 0.5, box: boxOf(101, 100, 131, 130) });
  });

  it('score less if a pass that is reliable at their size detects nothing', () => {
    expect(scoresOf([pass(1, [face(0.6, box)]), pass(2, [])])).toEqual([0.3]);
  });

  it('keep their score if they are too small for the other pass', () => {
    expect(scoresOf([pass(0.2, []), pass(1, [face(0.6, box)])])).toEqual([0.6]);
  });

  it('keep their score if they are too large for the other pass', () => {
    const near = boxOf(100, 100, 350, 350);
    expect(scoresOf([pass(1, [face(0.8, near)]), pass(2, [])])).toEqual([0.8]);
  });

  it('are scored only by passes with windows that contain them', () => {
    const aside = { ...IMAGE, x: 400, width: 200 };
    expect(scoresOf([pass(1, [face(0.6, box)]), pass(2, [], aside)])).toEqual([0.6]);
  });

  it('of objects too small for every pass are scored by the passes that detect them', () => {
    const tiny = boxOf(10, 10, 16, 16);
    expect(scoresOf([pass(1, [face(0.4, tiny)]), pass(1.5, [])])).toEqual([0.4]);
  });

  it('of neighbouring objects stay separate', () => {
    const nextTo = boxOf(125, 100, 155, 130);
    expect(scoresOf([pass(1, [face(0.9, box), face(0.8, nextTo)])])).toEqual([0.9, 0.8]);
  });
});
