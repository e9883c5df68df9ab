import { expect, test } from 'vitest';
import type { Edits } from '#shared/domain/edits/edits';
import { defaultImageOptions, type ImageOptions } from '#shared/domain/options';
import { imageRequest, itemEditsOf, settingsOf, videoRequest } from './requested-edits';

const OPTIONS: ImageOptions = {
  ...defaultImageOptions(),
  method: 'pixelate',
  methods: { face: 'blur' },
  classes: ['face', 'license-plate'],
  thresholds: { face: 0.3, 'license-plate': 0.4, person: 0.5, vehicle: 0.6 },
  bbox: false,
  debug: false,
  score: false,
  format: { kind: 'whole' },
  ignores: [{ x: 1, y: 2, width: 3, height: 4 }],
};

const SIZE = { width: 400, height: 300 };

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
    hides: [
      { topLeftX: 0, topLeftY: 0, width: 30, height: 20, method: 'blacken' },
      {
        points: [
          [1.5, 2],
          [30, 4],
          [5, 60],
        ],
      },
    ],
    keep_metadata: true,
  };
  const read = { settings: settingsOf(OPTIONS, edits), edits: itemEditsOf(OPTIONS, edits, SIZE) };
  expect(imageRequest(read)).toEqual(edits);
});

test('a field that is absent from edits is that of the upload', () => {
  const read = { settings: settingsOf(OPTIONS, {}), edits: itemEditsOf(OPTIONS, {}, SIZE) };
  expect(imageRequest(read)).toEqual({
    ...{ method: 'pixelate', methods: { face: 'blur' }, classes: ['face', 'license-plate'] },
    thresholds: { face: 0.3, 'license-plate': 0.4 },
    ...{ objects: [], areas: [], keep_metadata: false },
    ignores: [{ topLeftX: 1, topLeftY: 2, width: 3, height: 4 }],
  });
});

test('edits of a video that name frames are sent again by their times, and all others as they are', () => {
  const objects = [
    { id: 1, hidden: false },
    { id: 2, hidden: true, start: 0.5 },
    { id: 3, method: 'blur' },
  ] as const;
  const area = {
    type_label: 'license-plate',
    shape: 'box',
    bbox: [1, 2, 3, 4],
    at: 0.08,
    start: 0.04,
  } as const;
  const stored: Edits = {
    objects: [...objects, { id: 4, hidden: false, from: 1, to: 2, start: 0.04, end: 0.12 }],
    areas: [{ ...area, frame: 2, from: 1 }],
    mute: [[12.5, 14]],
    reviewer: 'A',
  };
  const read = itemEditsOf({ ...OPTIONS, ignores: [] }, stored, SIZE);
  expect(videoRequest({ ...read, audio: 'mute' })).toEqual({
    objects: [...objects, { id: 4, hidden: false, start: 0.04, end: 0.12 }],
    areas: [area],
    mute: [[12.5, 14]],
    audio: 'mute',
  });
});

test('areas that are always hidden have px in the page, and are sent as whole pixels that cover them', () => {
  const hides = [
    { topLeftX: 0.1, topLeftY: 0, width: 0.1, height: 0.101, unit: 'fraction', end: 2 },
  ] as const;
  const edits = itemEditsOf({ ...OPTIONS, hides }, {}, SIZE);
  expect(edits.hides).toEqual([
    { topLeftX: 40, topLeftY: 0, width: 40, height: expect.closeTo(30.3), end: 2, key: -2 },
  ]);
  const { hides: sent } = videoRequest(edits);
  expect(sent).toEqual([{ topLeftX: 40, topLeftY: 0, width: 40, height: 31, end: 2 }]);
});

test('reasons and the case of the settings are sent, without codes that the list has no more', () => {
  const stated = {
    codes: [{ code: 'b6', label: 'Privacy' }],
    ofClasses: { face: 'b6' },
    details: { number: '2026/17' },
  };
  const settings = { ...settingsOf(OPTIONS, {}), stated };
  const edits = itemEditsOf(
    { ...OPTIONS, ignores: [] },
    {
      objects: [
        { id: 0, reason: 'b6' },
        { id: 1, hidden: false, reason: 'b7' },
      ],
    },
    SIZE,
  );
  const said = { reasons: stated.codes, class_reasons: { face: 'b6' }, case: { number: '2026/17' } };
  const objects = [
    { id: 0, reason: 'b6' },
    { id: 1, hidden: false },
  ];
  expect(imageRequest({ settings, edits })).toMatchObject({ ...said, objects });
  expect(videoRequest({ ...edits, ...said })).toMatchObject({ ...said, objects });
  expect(imageRequest({ settings: settingsOf(OPTIONS, {}), edits })).not.toHaveProperty('reasons');
});

test('the reasons and the case of a result become those of the settings', () => {
  const reasons = [{ code: 'b6', label: 'Privacy' }];
  const uploaded = { ...OPTIONS, reasons, classReasons: { face: 'b6' }, caseNumber: '1' };
  expect(settingsOf(uploaded, { case: { number: '2' } }).stated).toEqual({
    ...{ codes: reasons, ofClasses: { face: 'b6' } },
    details: { number: '2' },
  });
});
