import { expect, it } from 'vitest';
import type { Edits } from './edits/edits';
import { defaultImageOptions } from './options';
import type { FrameReport, ReportedFrameDetection } from './plan';
import { createRedactionRuns } from './redactions';

const FRAME_US = 40_000;
const detected = (changed: Partial<ReportedFrameDetection> = {}): ReportedFrameDetection => ({
  id: 0,
  objectClass: 'face',
  score: 0.5,
  box: { x1: 0, y1: 0, x2: 10, y2: 10 },
  isAnonymised: true,
  color: [0, 0, 0],
  ...changed,
});
const frame = (index: number, detections: readonly ReportedFrameDetection[]): FrameReport => ({
  ...{ index, timestampUs: index * FRAME_US, width: 100, height: 100, durationS: 0 },
  detections,
});
const B6 = { code: 'b6', label: 'Privacy' };
const B7 = { code: 'b7', label: 'Law' };
const options = defaultImageOptions({ reasons: [B6, B7], classReasons: { face: 'b6' } });

const runsOf = (
  frames: readonly (readonly ReportedFrameDetection[])[],
  edits: Edits = {},
  followed: Parameters<typeof createRedactionRuns>[1] = [],
  ofUpload: typeof options = options,
) => {
  const runs = createRedactionRuns({ options: ofUpload, edits, decisions: [] }, followed, false);
  frames.forEach((detections, i) => runs.add(frame(i, detections)));
  return runs.end();
};

it('a track has a row for each run of frames in which it is hidden', () => {
  const [seen, hidden] = [detected({ trackId: 3, isAnonymised: false }), detected({ trackId: 3 })];
  const better = { ...hidden, score: 0.9, box: { x1: 0, y1: 0, x2: 20, y2: 10 } };
  expect(runsOf([[hidden], [better], [seen], [hidden], []])).toEqual([
    expect.objectContaining({ trackId: 3, frames: [0, 1], timesUs: [0, 40_000], score: 0.9, share: 0.02 }),
    expect.objectContaining({ trackId: 3, frames: [3, 3], timesUs: [120_000, 120_000], score: 0.5 }),
  ]);
});

it('objects without a track have one row for each class', () => {
  const rows = runsOf([
    [detected(), detected()],
    [detected(), detected({ objectClass: 'person' })],
  ]);
  expect(rows.map(({ objectClass, frames }) => [objectClass, frames])).toEqual([
    ['face', [0, 1]],
    ['person', [1, 1]],
  ]);
});

it('a track has the reason of its edit, or else that of its class', () => {
  const edits = { objects: [{ id: 1, reason: 'b7' }], reviewer: 'Zoë' };
  const [own, ofClass] = runsOf([[detected({ trackId: 1 }), detected({ trackId: 2 })]], edits);
  expect([own?.reason, own?.isDecided, own?.reviewer]).toEqual([B7, true, 'Zoë']);
  expect([ofClass?.reason, ofClass?.isDecided, ofClass?.reviewer]).toEqual([B6, false, undefined]);
});

it('areas that are always hidden have a row each, by their place and time, with their reason', () => {
  const area = { topLeftX: 0, topLeftY: 0, width: 10, height: 10 };
  const other = { ...area, topLeftX: 50.5, reason: 'b7' };
  const hides = [
    { ...area, end: 0.08, reason: 'b6' },
    other,
    { ...area, start: 0.08, method: 'blacken' },
  ] as const;
  const hidden = (x1: number, x2: number) =>
    detected({ objectClass: 'area', score: 1, box: { x1, y1: 0, x2, y2: 10 } });
  const both = [hidden(0, 10), hidden(50, 61)];
  const rows = runsOf([both, both, [hidden(0, 10)]], {}, [], { ...options, hides });
  expect(rows.map(({ frames, method, reason }) => [frames, method, reason])).toEqual([
    [[0, 1], 'blur', B6],
    [[0, 1], 'blur', B7],
    [[2, 2], 'blacken', undefined],
  ]);
});

it('areas of edits have rows in place of those of the upload, in the frames of their times', () => {
  const hides = [{ topLeftX: 20, topLeftY: 0, width: 10, height: 20, start: 0.04, end: 0.12, reason: 'b7' }];
  const ofUpload = detected({ objectClass: 'area', score: 1 });
  const rows = runsOf([[ofUpload], [ofUpload], [ofUpload], [ofUpload]], { hides });
  expect(rows).toEqual([
    expect.objectContaining({
      objectClass: 'area',
      frames: [1, 2],
      reason: B7,
      isDecided: true,
      share: 0.02,
    }),
  ]);
  expect(runsOf([[ofUpload]], { hides: [] })).toEqual([]);
});

it('a drawn area has a row of the frames in which it was followed, and muted parts have one each', () => {
  const edits: Edits = {
    areas: [{ type_label: 'text', shape: 'box', bbox: [0, 0, 10, 10], at: 0.04, reason: 'b7' }],
    mute: [[0.5, 1]],
  };
  const followed = [{ area: 0, from: 0.04, seen_until: 0.04, until: 0.12 }];
  expect(runsOf([[], [], [], []], edits, followed)).toEqual([
    expect.objectContaining({ objectClass: 'text', frames: [1, 2], reason: B7, isDecided: true }),
    expect.objectContaining({ objectClass: 'audio', method: 'mute', timesUs: [500_000, 1_000_000] }),
  ]);
});
