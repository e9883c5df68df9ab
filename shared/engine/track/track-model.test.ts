import { describe, expect, it } from 'vitest';
import { STILL } from '../motion/camera-motion';
import type { Box } from '../../domain/boxes';
import { startMotion } from './kalman';
import { TRUST } from './track-limits';
import { type Moment, type Track, coastingShare, isCredible, minLargePx } from './track-model';

const THRESHOLD = 0.5;
const SURE = THRESHOLD + 0.05;
const WEAK = THRESHOLD - 0.1;
const moment = (position: number): Moment => ({
  position,
  seconds: position * 0.04,
  scene: 0,
  camera: STILL,
});

/** Found once in each frame, with these scores. */
const found = (side: number, ...scores: readonly number[]): Track => {
  const box: Box = { x1: 100, y1: 100, x2: 100 + side, y2: 100 + side };
  return {
    id: 0,
    scene: 0,
    observations: scores.map((score, i) => ({
      moment: moment(i),
      detection: { objectClass: 'face', score, box },
      motion: startMotion(box),
    })),
    hits: scores.length,
    bestScore: Math.max(...scores),
    confidentHits: scores.filter((score) => score >= THRESHOLD).length,
    threshold: THRESHOLD,
    largePx: TRUST.largePx,
    appearance: undefined,
  };
};
const LARGE = 2 * TRUST.largePx;
const SMALL = TRUST.largePx / 2;
const weakly = (count: number): number[] => new Array<number>(count).fill(WEAK);

describe('trust in a track', () => {
  it('ends shortly after the only confident hit of a large object', () => {
    const track = found(LARGE, SURE, ...weakly(20));
    expect(isCredible(track, moment(0))).toBe(true);
    expect(isCredible(track, moment(4))).toBe(true);
    expect(isCredible(track, moment(15))).toBe(false);
  });

  it('lasts for a small object with weak hits', () => {
    expect(isCredible(found(SMALL, SURE, ...weakly(20)), moment(15))).toBe(true);
  });

  it.each([
    ['one hit with a high score', [THRESHOLD + TRUST.margin, ...weakly(20)]],
    ['many confident hits', [...new Array<number>(TRUST.confidentHits).fill(SURE), ...weakly(20)]],
  ])('lasts for a large object after %s', (_name, scores) => {
    expect(isCredible(found(LARGE, ...scores), moment(20))).toBe(true);
  });

  it('lets a large object coast longer with each confident hit, and less than a small one', () => {
    const shares = [1, 2, 3, 4].map((hits) =>
      coastingShare(found(LARGE, ...new Array<number>(hits).fill(0.9))),
    );
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBeLessThan(shares[3] as number);
    expect(shares[3]).toBeLessThan(coastingShare(found(SMALL, 0.9)));
    expect(coastingShare(found(100 * LARGE, ...new Array<number>(9).fill(0.9)))).toBe(TRUST.share);
  });

  it('lets a small object coast in full, unless it has only one or two weak hits', () => {
    expect(coastingShare(found(SMALL, 0.9))).toBe(1);
    expect(coastingShare(found(SMALL, SURE, WEAK, WEAK))).toBe(1);
    expect(coastingShare(found(SMALL, SURE, WEAK))).toBe(TRUST.share);
  });
});

it('is large in px that depend on the frame, from 1,280 px on', () => {
  expect(minLargePx({ width: 640, height: 360 })).toBe(TRUST.largePx);
  expect(minLargePx({ width: 1920, height: 2560 })).toBeCloseTo(2 * TRUST.largePx);
});
