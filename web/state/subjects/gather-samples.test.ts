import { expect, it } from 'vitest';
import type { FrameMetadata } from '#shared/api/contract/schemas-results';
import { createSampleGatherer } from '../video-tracks';

type Detection = FrameMetadata['detections'][number];

const FRAME_S = 0.04;

const face = (sidePx: number, score = 0.9, x = 0, track_id = 1): Detection => ({
  ...{ id: 0, parent_image: 0, offset: [x, 0], bbox: [x, 0, x + sidePx, sidePx] },
  ...{ type: 103, type_label: 'face', score, is_anonymised: true, color: null, track_id },
});

/** @param detections for each frame */
const samplesOf = (detections: readonly (readonly Detection[])[], trackId = 1) => {
  const gatherer = createSampleGatherer();
  gatherer.add(
    detections.map((some, id) => ({
      ...{ id, timestamp: id * FRAME_S, size: [640, 480], duration: 0.1 },
      detections: [...some],
    })),
  );
  return gatherer.samplesOf(trackId);
};

it('the samples of a long track are five frames that are spread over its time', () => {
  const times = (samplesOf(Array.from({ length: 250 }, () => [face(80)])) ?? []).map(({ atS }) => atS);
  expect(times).toHaveLength(5);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(5);
  for (const [i, atS] of times.slice(1).entries()) expect(atS - times[i]!).toBeGreaterThan(0.2);
});

it('of neighbouring frames, the one with the larger and more certain face is a sample', () => {
  const [sample, ...more] = samplesOf([[face(60)], [face(90)], [face(90, 0.7)], [face(70)]]) ?? [];
  expect(sample).toMatchObject({ atS: FRAME_S, score: 0.9, box: { x2: 90 } });
  expect(more).toEqual([]);
});

it('faces that are small, uncertain or overlapped by another face are no samples', () => {
  expect(samplesOf([[face(30)], [face(80, 0.5)], [face(80), face(80, 0.9, 70, 2)]])).toBeUndefined();
});

it('a sample names the other faces of its frame, which must be covered', () => {
  const [sample] = samplesOf([[face(80), face(60, 0.4, 100, 2)]]) ?? [];
  expect(sample?.others).toEqual([{ x1: 100, y1: 0, x2: 160, y2: 60 }]);
});
