import { RAMP_VIDEO } from './video-files';

const LAST_FRAME = RAMP_VIDEO.frames - 1;
export const AREA = { type_label: 'face', shape: 'box', bbox: [4, 4, 20, 20], frame: 1 } as const;

export const STROKE = {
  type_label: 'person',
  shape: 'stroke',
  points: [
    [6, 6],
    [30, 20],
  ],
  radius: 4,
  frame: 0,
} as const;

export const SCREEN = { topLeftX: 2, topLeftY: 2, width: 9, height: 9 } as const;

/** Edits of a video that are refused, and what the sentence contains. */
export const WRONG_VIDEO_EDITS: readonly (readonly [edits: object, sentence: string])[] = [
  [{ objects: [{ id: 999_999, hidden: false }] }, '`objects[0].id`'],
  [{ objects: [{ id: 0, bbox: [1, 1, 9, 9] }] }, '`objects[0].frame`'],
  [{ objects: [{ id: 0, bbox: [9, 1, 1, 9], frame: 0 }] }, '`objects[0].bbox`'],
  [{ objects: [{ id: 0, frame: 0 }] }, '`objects[0].frame` must be absent without bbox'],
  [{ objects: [{ id: 0, at: 0 }] }, '`objects[0].at` must be absent without bbox'],
  [
    { objects: [{ id: 0, bbox: [1, 1, 9, 9], frame: 0, at: 0 }] },
    '`objects[0].at` must be absent next to frame',
  ],
  [{ objects: [{ id: 0, type_label: 'cat' }] }, '`objects[0].type_label`'],
  [{ objects: [{ id: 0, from: LAST_FRAME + 1 }] }, '`objects[0].from`'],
  [{ objects: [{ id: 0, from: 2, to: 1 }] }, '`objects[0].to`'],
  [{ areas: [{ ...AREA, frame: undefined }] }, '`areas[0].frame`'],
  [{ areas: [{ ...AREA, frame: LAST_FRAME + 1 }] }, '`areas[0].frame`'],
  [{ areas: [{ ...AREA, bbox: [9_000, 4, 9_009, 20] }] }, '`areas[0].bbox`'],
  [{ areas: [{ ...AREA, radius: 3 }] }, '`areas[0].radius`'],
  [{ areas: [{ ...STROKE, points: undefined }] }, '`areas[0].points`'],
  [{ areas: [{ ...STROKE, bbox: AREA.bbox }] }, '`areas[0].bbox`'],
  [{ areas: [{ ...STROKE, points: Array.from({ length: 9_000 }, () => [9, 9]), radius: 500 }] }, 'strokes'],
  [{ areas: [{ ...AREA, method: 'detect' }] }, '`areas[0].method`'],
  [{ method: 'detect' }, '`method`'],
  [{ thresholds: { face: 0.1 } }, '`thresholds.face`'],
  [{ classes: ['person'] }, '`classes`'],
  [{ ignores: [] }, '`ignores`'],
  [{ hides: [{ ...SCREEN, start: 2, end: 1 }] }, '`hides[0]` must be an area whose `start`'],
  [{ hides: [{ ...SCREEN, topLeftX: 9_000 }] }, '`hides[0]` lies outside the image'],
  [{ audio: 'keep' }, '`audio`'],
  [{ mute: true }, '`mute`'],
  [{ mute: [0, 1] }, '`mute[0]`'],
  [{ mute: [[0, 1], [1]] }, '`mute[1]`'],
  [{ mute: [[0, 1, 2]] }, '`mute[0]`'],
  [{ mute: [[0, '1']] }, '`mute[0][1]`'],
  [{ mute: [[-0.5, 1]] }, '`mute[0][0]`'],
  [{ mute: [[0, null]] }, '`mute[0][1]`'],
  [{ mute: [[0, 2e9]] }, '`mute[0][1]`'],
  [{ mute: [[0, 1], [2, 2]] }, '`mute[1]` must be a start before its end'], // oxfmt-ignore
  [{ mute: [[3, 2]] }, '`mute[0]` must be a start before its end'],
  [{ mute: [{ start: 3, end: 2, as: 'bleep' }] }, '`mute[0]` must be a start before its end'],
  [{ mute: [{ start: 3 }] }, '`mute[0].end`'],
  [{ mute: [{ start: 3, end: '4' }] }, '`mute[0].end`'],
  [{ mute: [{ start: 3, end: 4, as: 'voice' }] }, '`mute[0].as` must be one of silence, bleep'],
  [{ mute: [{ start: 3, end: 4, volume: 1 }] }, '`mute[0]."volume"` is not a known field'],
  [{ mute: [{ start: 3, end: 4, reason: 'b9' }] }, '`mute[0].reason` must be absent without `reasons`'],
  [
    { mute: [[5, 6], [0, 9], { start: 8, end: 9, as: 'bleep' }] }, // oxfmt-ignore
    '`mute[2]` must not overlap `mute[1]`',
  ],
  [
    { mute: Array.from({ length: 1_001 }, (_, i) => [2 * i, 2 * i + 1]) },
    '`mute` must be a list of at most 1000',
  ],
];
