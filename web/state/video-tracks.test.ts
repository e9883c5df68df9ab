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
  expect(tracks.objects()).toEqual([
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

it('without tracking, each detection is listed as an object', () => {
  const tracks = createTrackGatherer();
  tracks.add([frame(0, detection(undefined, 0.5)), frame(1, detection(undefined, 0.9))]);
  expect(tracks.objects()).toHaveLength(2);
});
