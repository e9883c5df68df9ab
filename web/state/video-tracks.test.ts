import { expect, it } from 'vitest';
import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import { createTrackGatherer } from './video-tracks';

type Detection = FrameMetadata['detections'][number];

const detection = (track_id: number | undefined, score: number, x1 = 0): Detection => ({
  id: 0,
  parent_image: 0,
  offset: [x1, 0],
  bbox: [x1, 0, x1 + 10, 20],
  type: 103,
  score,
  is_anonymised: true,
  type_label: 'face',
  color: null,
  ...(track_id === undefined ? {} : { track_id }),
});
const frame = (id: number, ...detections: Detection[]): FrameMetadata => ({
  id,
  timestamp: id / 10,
  detections,
  size: [64, 48],
  duration: 0.1,
});

it('an object of many frames is listed once, with its best frame and its time range', () => {
  const tracks = createTrackGatherer();
  tracks.add([frame(0, detection(3, 0.5)), frame(1, detection(3, 0.9, 7))]);
  tracks.add([frame(2, detection(3, 0.6)), frame(3, detection(1, 0.5))]);
  const known = tracks
    .objects()
    .map(({ seen: { course: _checked, ...seen } = {}, ...rest }) => ({ ...rest, seen }));
  expect(known).toEqual([
    {
      ...{ id: 1, objectClass: 'face', score: 0.5, x: 0, y: 0, width: 10, height: 20 },
      seen: { firstS: 0.3, lastS: 0.3, bestS: 0.3, frames: 1 },
    },
    {
      ...{ id: 3, objectClass: 'face', score: 0.9, x: 7, y: 0, width: 10, height: 20 },
      seen: { firstS: 0, lastS: 0.2, bestS: 0.1, frames: 3 },
    },
  ]);
});

it('the two parts of an object at the seam of a panorama are one, which ends beyond the right edge', () => {
  const tracks = createTrackGatherer();
  tracks.add([frame(0, detection(3, 0.5, 54), detection(3, 0.5, 0))]);
  const [{ x, width, seen } = {}] = tracks.objects();
  expect([x, width, seen?.frames]).toEqual([54, 20, 1]);
});

it('without tracking, each detection is listed as an object', () => {
  const tracks = createTrackGatherer();
  tracks.add([frame(0, detection(undefined, 0.5)), frame(1, detection(undefined, 0.9))]);
  expect(tracks.objects()).toHaveLength(2);
});

it('the course of a track has its first and last frame, the times around it, and its gaps', () => {
  const tracks = createTrackGatherer();
  tracks.add([frame(0), frame(1, detection(3, 0.5, 1)), frame(2, detection(3, 0.7, 2))]);
  tracks.add([frame(3), frame(4), frame(5, detection(3, 0.9, 5)), frame(6)]);
  const [{ seen } = {}] = tracks.objects();
  const moment = (atS: number, score: number, x1: number) => ({
    ...{ atS, score },
    box: { x1, y1: 0, x2: x1 + 10, y2: 20 },
  });
  expect(seen?.course).toEqual({
    first: moment(0.1, 0.5, 1),
    last: moment(0.5, 0.9, 5),
    beforeS: 0,
    afterS: 0.6,
    meanScore: expect.closeTo(0.7) as number,
    gaps: [{ before: moment(0.2, 0.7, 2), fromS: 0.3, after: moment(0.5, 0.9, 5) }],
  });
});

it('a track that is in the first and in the last frame has no times around it', () => {
  const tracks = createTrackGatherer();
  tracks.add([frame(0, detection(3, 0.5)), frame(1, detection(3, 0.5))]);
  const course = tracks.objects()[0]?.seen?.course;
  expect([course?.beforeS, course?.afterS]).toEqual([undefined, undefined]);
});
