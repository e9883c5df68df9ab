import { describe, expect, it } from 'vitest';
import { describeBareModel } from './describe-own';
import { classNamed, classNames, COCO_LABELS, recogniseLabels } from './recognise-labels';

const namesIn = (text: string): ReadonlyMap<number, string> => classNames(new Map([['names', text]]));

describe('the names of a network’s classes', () => {
  it.each(["{0: 'person', 2: \"driver's car\"}", '{"0": "person", "2": "driver\'s car"}'])(
    'are read from %s',
    (text) => {
      expect(namesIn(text)).toEqual(
        new Map([
          [0, 'person'],
          [2, "driver's car"],
        ]),
      );
    },
  );

  it('are read from a list', () => {
    expect(namesIn('["face", "plate"]')).toEqual(
      new Map([
        [0, 'face'],
        [1, 'plate'],
      ]),
    );
  });

  it('are none if the text has another format, or is too long', () => {
    expect(namesIn('anything').size).toBe(0);
    expect(namesIn(`{${"0: 'face', ".repeat(20_000)}}`).size).toBe(0);
    expect(namesIn(`{0: '${'x'.repeat(500)}'}`).get(0)).toHaveLength(60);
  });

  it.each([
    ['Person', 'person'],
    ['license_plate', 'license-plate'],
    ['licence plate', 'license-plate'],
    ['human face', 'face'],
    ['motorbike', 'vehicle'],
    ['truck', 'vehicle'],
    ['car wash', undefined],
    ['surface', undefined],
    ['plate of food', undefined],
    ['__proto__', undefined],
  ])('%s maps to %s', (name, objectClass) => {
    expect(classNamed(name)).toBe(objectClass);
  });

  it('determine our classes; without names COCO’s order does if the number matches, else none are known', () => {
    expect(recogniseLabels(namesIn("{0: 'helmet', 1: 'person'}"), 80)).toEqual({ 1: 'person' });
    expect(recogniseLabels(new Map(), 80)).toBe(COCO_LABELS);
    expect(recogniseLabels(new Map(), 91)).toMatchObject({ 1: 'person', 3: 'vehicle', 8: 'vehicle' });
    expect(recogniseLabels(new Map(), 3)).toEqual({});
    expect(recogniseLabels(new Map(), undefined)).toEqual({});
  });
});

describe('a model file without a description', () => {
  const file = { fileName: '../../My <b>Faces</b> (2).onnx', sha256: 'a'.repeat(64), bytes: 10 };
  const reading = {
    head: 'yolo',
    input: { name: 'images', mean: [0, 0, 0], std: [255, 255, 255], size: [640, 640] },
    outputs: ['output0'],
    threshold: 0.4,
  } as const;

  it('gets a description with an id of letters, digits and hyphens, for any file name', () => {
    const [model] = describeBareModel(file, reading, { 3: 'vehicle', 0: 'face' }).models;
    expect(model).toMatchObject({
      id: 'own-my-b-faces-b-2-aaaaaaaaaaaa',
      file: 'own-my-b-faces-b-2-aaaaaaaaaaaa.onnx',
      classes: ['face', 'vehicle'],
      labels: { 0: 'face', 3: 'vehicle' },
      thresholds: { face: 0.4, vehicle: 0.4 },
    });
    expect(describeBareModel({ ...file, fileName: '模型.onnx' }, reading, { 0: 'face' }).id).toBe(
      'own-model-aaaaaaaaaaaa',
    );
  });

  it('gets none if it detects none of our classes', () => {
    expect(() => describeBareModel(file, reading, {})).toThrow('no description of a pack');
  });
});
