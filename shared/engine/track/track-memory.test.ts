import { describe, expect, it } from 'vitest';
import { STILL } from '../motion/camera-motion';
import { startMotion } from './kalman';
import { SIZE_MEMORY, TRACKING } from './track-limits';
import { pruneTracks } from './track-growth';
import type { Moment, Track } from './track-model';

const FRAME_S = 0.04;
const moment = (position: number, scene = 0): Moment => ({
  position,
  seconds: position * FRAME_S,
  scene,
  camera: STILL,
});
const BOX = { x1: 0, y1: 0, x2: 10, y2: 10 };

const foundIn = (positions: readonly number[]): Track => ({
  id: 0,
  scene: 0,
  observations: positions.map((position) => ({
    moment: moment(position),
    detection: { objectClass: 'face', score: 0.9, box: BOX },
    motion: startMotion(BOX),
  })),
  hits: positions.length,
  bestScore: 0.9,
  confidentHits: positions.length,
  threshold: 0.5,
  largePx: 96,
  appearance: undefined,
});
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const positions = (track: Track | undefined): number[] =>
  track?.observations.map(({ moment: { position } }) => position) ?? [];

describe('the memory of a tracker', () => {
  it('does not grow with the length of a track', () => {
    const [track] = pruneTracks([foundIn(range(10_000))], moment(9_990));
    expect(positions(track).length).toBeLessThanOrEqual(11 + SIZE_MEMORY.seconds / FRAME_S);
  });

  it('keeps the hits that determine the size, and those of frames not settled yet', () => {
    const [track] = pruneTracks([foundIn(range(100))], moment(90));
    expect(positions(track).at(0)).toBe(90 - SIZE_MEMORY.seconds / FRAME_S);
    expect(positions(track).at(-1)).toBe(99);
  });

  it('keeps the last hits before a gap, however long ago', () => {
    const [track] = pruneTracks([foundIn([0, 1, 2, 60])], moment(50));
    expect(positions(track)).toEqual([1, 2, 60]);
  });

  it('drops a track only after it has been lost for long', () => {
    const frames = TRACKING.lostSeconds / FRAME_S;
    expect(pruneTracks([foundIn([0])], moment(frames))).toHaveLength(1);
    expect(pruneTracks([foundIn([0])], moment(frames + 1))).toEqual([]);
  });

  it('drops all tracks of a scene that is over', () => {
    expect(pruneTracks([foundIn(range(10))], moment(10, 1))).toEqual([]);
  });
});
