import { expect, test } from 'vitest';
import type { Box } from '../../domain/boxes';
import type { ObjectClass } from '../../catalogue/classes';
import type { Region } from '../../domain/plan';
import { chooseTracks, type ComparedFrame } from '../match-tracks';
import { chooseFace, isComparable, similarityTo } from './compare-faces';
import { showFaces } from './show-faces';
import { showThreshold } from './subject-limits';

const THRESHOLD = showThreshold(5);
const SURE = THRESHOLD + 0.2;
const STEP_US = 200_000;

const framesOf = (...similarities: readonly number[]): ComparedFrame[] =>
  similarities.map((similarity, i) => ({ timestampUs: i * STEP_US, durationUs: 40_000, similarity }));
const chosen = (...similarities: readonly number[]) =>
  chooseTracks([{ trackId: 1, frames: framesOf(...similarities) }], THRESHOLD);

test('a track of the subject is shown from its first agreeing frame to its last', () => {
  expect(chosen(SURE, SURE, SURE)).toEqual([
    { trackId: 1, confidence: SURE, ranges: [{ fromUs: 0, untilUs: 2 * STEP_US + 40_000 }] },
  ]);
});

test('a track with fewer than three agreeing frames stays hidden', () => {
  expect(chosen(SURE, SURE)).toEqual([]);
  expect(chosen(SURE, SURE, THRESHOLD - 0.01)).toEqual([]);
});

test('one frame that shows another person hides the whole track', () => {
  expect(chosen(SURE, SURE, SURE, SURE, 0.1)).toEqual([]);
});

test('a frame that is not similar enough splits the visible range', () => {
  const [track] = chosen(SURE, SURE, 0.4, SURE, SURE);
  expect(track?.ranges).toHaveLength(2);
});

test('a track stays hidden where nothing was compared for more than a second', () => {
  const frames = framesOf(SURE, SURE, SURE, SURE).map((frame, i) =>
    i < 2 ? frame : { ...frame, timestampUs: frame.timestampUs + 5_000_000 },
  );
  const [track] = chooseTracks([{ trackId: 1, frames }], THRESHOLD);
  expect(track?.ranges.map(({ untilUs, fromUs }) => untilUs - fromUs)).toEqual([
    STEP_US + 40_000,
    STEP_US + 40_000,
  ]);
});

test('of two similar tracks at the same time, none is shown unless one is clearly more similar', () => {
  const both = (other: number) =>
    chooseTracks(
      [
        { trackId: 1, frames: framesOf(SURE, SURE, SURE) },
        { trackId: 2, frames: framesOf(other, other, other) },
      ],
      THRESHOLD,
    ).map(({ trackId }) => trackId);
  expect(both(SURE - 0.05)).toEqual([]);
  expect(both(SURE - 0.15)).toEqual([1]);
});

test('a face below the threshold is not chosen, and a subject of one photo has a higher threshold', () => {
  expect(chooseFace([{ id: 3, confidence: THRESHOLD }], THRESHOLD)?.id).toBe(3);
  expect(chooseFace([{ id: 3, confidence: THRESHOLD - 0.01 }], THRESHOLD)).toBeUndefined();
  expect(showThreshold(1)).toBeGreaterThan(showThreshold(2));
});

test('of two similar faces in one image, none is chosen unless one is clearly more similar', () => {
  const both = (confidence: number) =>
    chooseFace(
      [
        { id: 1, confidence: SURE },
        { id: 2, confidence },
      ],
      THRESHOLD,
    )?.id;
  expect(both(SURE - 0.05)).toBeUndefined();
  expect(both(SURE - 0.15)).toBe(1);
});

test('a face is compared with its two most similar samples', () => {
  const samples = [[1, 0], [0.8, 0.6], [0, 1]]; // oxfmt-ignore
  expect(similarityTo([1, 0], samples)).toBeCloseTo(0.9);
  expect(similarityTo([1, 0], [])).toBe(-1);
});

test('small faces, doubtful faces and other objects are not compared', () => {
  const face = { objectClass: 'face', score: 0.9, box: { x1: 0, y1: 0, x2: 50, y2: 60 } } as const;
  expect(isComparable(face)).toBe(true);
  expect(isComparable({ ...face, score: 0.5 })).toBe(false);
  expect(isComparable({ ...face, box: { x1: 0, y1: 0, x2: 20, y2: 60 } })).toBe(false);
  expect(isComparable({ ...face, objectClass: 'person' })).toBe(false);
});

const region = (id: number, objectClass: ObjectClass, [x1, y1, x2, y2]: readonly number[]): Region => {
  const box = { x1, y1, x2, y2 } as Box;
  const detection = { objectClass, score: 0.9, box };
  return { id, detection, shape: { kind: 'box', box }, featherPx: 0, cellPx: 4 };
};
const FACE = region(0, 'face', [100, 100, 140, 150]);
const BODY = region(1, 'person', [60, 80, 180, 500]);
const shownIds = (...others: readonly Region[]): readonly number[] =>
  showFaces([FACE, ...others], ({ id }) => (id === FACE.id ? 0.8 : undefined))
    .filter(({ shown }) => shown !== undefined)
    .map(({ id }) => id);

test('a face is shown alone, or with its own body', () => {
  expect(shownIds()).toEqual([0]);
  expect(shownIds(BODY)).toEqual([0, 1]);
});

test('a face stays hidden if it overlaps another face', () => {
  expect(shownIds(region(2, 'face', [130, 100, 170, 150]))).toEqual([]);
  expect(shownIds(BODY, region(2, 'face', [130, 100, 170, 150]))).toEqual([]);
});

test('a face stays hidden if other regions cover more than a quarter of it', () => {
  const neighbour = (x1: number) => region(2, 'person', [x1, 90, 300, 500]);
  expect(shownIds(BODY, neighbour(120))).toEqual([]);
  expect(shownIds(neighbour(120))).toEqual([]);
  expect(shownIds(BODY, neighbour(135))).toEqual([0, 1]);
  expect(shownIds(region(2, 'vehicle', [0, 120, 300, 500]))).toEqual([]);
});

test('a face stays hidden if two bodies may be its own', () => {
  expect(shownIds(BODY, region(2, 'person', [50, 90, 200, 500]))).toEqual([]);
});

test('a body whose top is far above the face belongs to another person', () => {
  expect(shownIds(region(1, 'person', [60, 50, 180, 500]))).toEqual([0, 1]);
  expect(shownIds(region(1, 'person', [60, 40, 180, 500]))).toEqual([]);
});

test('a body that covers a part of another face stays hidden, unless that face has a hidden body of its own', () => {
  const stranger = region(2, 'face', [165, 100, 205, 150]);
  expect(shownIds(BODY, stranger)).toEqual([]);
  expect(shownIds(BODY, stranger, region(3, 'person', [150, 80, 260, 500]))).toEqual([0, 1]);
  expect(shownIds(BODY, stranger, region(3, 'person', [190, 80, 260, 500]))).toEqual([]);
});

test('regions of other objects are never marked as shown', () => {
  expect(showFaces([BODY], () => 0.9).every(({ shown }) => shown === undefined)).toBe(true);
});
