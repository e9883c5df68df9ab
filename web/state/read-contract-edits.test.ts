import { expect, test } from 'vitest';
import type { Edits } from '#shared/api/contract/schemas-edits';
import type { ImageOptions } from '#shared/domain/options';
import { contractEdits } from './contract-edits';
import { planEditsOf, settingsOf, videoEditsOf } from './read-contract-edits';

const OPTIONS: ImageOptions = {
  method: 'pixelate',
  methods: { face: 'blur' },
  classes: ['face', 'license-plate'],
  thresholds: { face: 0.3, 'license-plate': 0.4, person: 0.5, vehicle: 0.6 },
  wholeBoxes: false,
  debug: false,
  score: false,
  tiling: { kind: 'whole' },
  ignores: [{ x: 1, y: 2, width: 3, height: 4 }],
};

test('edits of an image that the page reads and sends again are the same', () => {
  const edits: Edits = {
    method: 'blacken',
    methods: { face: 'pixelate' },
    classes: ['face'],
    thresholds: { face: 0.7 },
    objects: [
      { id: 0, hidden: false },
      { id: 1, hidden: true },
      { id: 3, deleted: true },
      { id: 5, bbox: [1, 2, 30, 40], type_label: 'license-plate', method: 'blur' },
    ],
    areas: [
      { type_label: 'face', shape: 'ellipse', bbox: [5, 6, 70, 80], method: 'blur' },
      {
        type_label: 'person',
        shape: 'stroke',
        points: [
          [1, 2],
          [3, 4],
        ],
        radius: 5,
        hidden: false,
      },
    ],
    ignores: [{ topLeftX: 9, topLeftY: 8, width: 7, height: 6 }],
    keep_metadata: true,
  };
  const read = { settings: settingsOf(OPTIONS, edits), edits: planEditsOf(OPTIONS, edits) };
  expect(contractEdits(read)).toEqual(edits);
});

test('a field that is absent from edits is that of the upload', () => {
  const read = { settings: settingsOf(OPTIONS, {}), edits: planEditsOf(OPTIONS, {}) };
  expect(contractEdits(read)).toEqual({
    ...{ method: 'pixelate', methods: { face: 'blur' }, classes: ['face', 'license-plate'] },
    thresholds: { face: 0.3, 'license-plate': 0.4 },
    ...{ objects: [], areas: [], keep_metadata: false },
    ignores: [{ topLeftX: 1, topLeftY: 2, width: 3, height: 4 }],
  });
});

test('edits of a video are read with the times of their frames', () => {
  const times = Float64Array.of(0, 40_000, 80_000, 120_000);
  const edits: Edits = {
    objects: [
      { id: 1, hidden: false },
      { id: 2, hidden: false, from: 1, to: 2 },
      { id: 3, hidden: true, from: 2 },
    ],
    areas: [{ type_label: 'license-plate', shape: 'box', bbox: [1, 2, 3, 4], frame: 2, from: 1, to: 3 }],
    mute: [[12.5, 14]],
  };
  expect(videoEditsOf(edits, times)).toEqual({
    visibleTracks: [1, 3],
    ranges: [
      { trackId: 2, fromUs: 40_000, untilUs: 120_000 },
      { trackId: 3, fromUs: 80_000, untilUs: 160_000 },
    ],
    drawn: [
      {
        ...{ id: 1, timeUs: 80_000, box: { x1: 1, y1: 2, x2: 3, y2: 4 } },
        range: { fromUs: 40_000, untilUs: 160_000 },
      },
    ],
    muted: [{ fromUs: 12_500_000, untilUs: 14_000_000 }],
  });
});
