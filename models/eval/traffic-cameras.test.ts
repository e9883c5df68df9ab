import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import objects from '../train/objects/split.json' with { type: 'json' };
import { DATA_SETS } from './data-sets';
import doubtful from './doubtful-vehicles.json' with { type: 'json' };
import { matchImage } from './score';
import { takeSide } from './split';
import { readFrame } from './traffic-cameras';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const CAMERAS: Readonly<Record<string, readonly string[]>> = objects.cameras;

describe('a frame of a traffic camera', () => {
  const near = { x1: 100, y1: 300, x2: 160, y2: 340 };
  const far = { x1: 200, y1: 100, x2: 220, y2: 120 };
  const tiny = { x1: 400, y1: 130, x2: 410, y2: 140 };
  const { counted, uncounted } = readFrame({
    file: 'frame.jpg',
    set: 'atl',
    boxes: [near, far, tiny].map(({ x1, y1, x2, y2 }) => ['car', x1, y1, x2, y2] as const),
  });
  const score = (box: typeof near) => matchImage([{ score: 0.9, box }], counted, uncounted).found;

  it('counts vehicles of 16 px and larger', () => {
    expect(counted).toEqual([near, far]);
  });

  it('counts detections of smaller labelled vehicles neither as correct nor as wrong', () => {
    expect(score(tiny)).toEqual([]);
  });

  it('counts detections beyond the farthest labelled vehicle neither as correct nor as wrong', () => {
    expect(score({ x1: 600, y1: 70, x2: 620, y2: 90 })).toEqual([]);
  });

  it('counts detections without a label as wrong in front of the farthest labelled vehicle', () => {
    expect(score({ x1: 600, y1: 200, x2: 640, y2: 240 })).toMatchObject([{ isRight: false }]);
  });

  it('without labels has no area that is not counted', () => {
    expect(readFrame({ file: 'frame.jpg', set: 'atl', boxes: [] })).toEqual({ counted: [], uncounted: [] });
  });
});

describe('the division of traffic cameras', () => {
  it('has all frames of a camera on one side', () => {
    const heldOut = new Set(objects.heldOut);
    for (const frames of Object.values(CAMERAS)) {
      expect(new Set(frames.map((file) => heldOut.has(file))).size).toBe(1);
    }
  });

  it('has no photo on both sides', () => {
    expect(objects.training.filter((file) => objects.heldOut.includes(file))).toEqual([]);
  });
});

describe('doubtful vehicles', () => {
  it('are listed for held-out frames only', () => {
    expect(objects.heldOut).toEqual(expect.arrayContaining(Object.keys(doubtful)));
  });
});

describe.runIf(existsSync(DATA))('the set of traffic cameras', () => {
  it('has exactly the frames of cameras that are not for training on the side that is held out', async () => {
    const set = DATA_SETS['traffic-cameras'];
    const { photos } = await takeSide('traffic-cameras', set.read(DATA), 'held-out', set.isDivided);
    expect(photos.map(({ path }) => basename(path)).sort()).toEqual(objects.heldOut);
  });

  it('does not count detections of doubtful vehicles', () => {
    const [file, [corners]] = Object.entries(doubtful)[0] as [string, number[][]];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners ?? [];
    const frame = DATA_SETS['traffic-cameras'].read(DATA).find(({ path }) => basename(path) === file);
    expect(frame?.uncounted.map(({ box }) => box)).toContainEqual({ x1, y1, x2, y2 });
  });
});
