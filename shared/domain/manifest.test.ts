import { describe, expect, it } from 'vitest';
import { modelEntry } from '../testing/fake-models';
import { BadManifest, checkManifest, thresholdOf } from './manifest';

const COMPLETE = modelEntry('faces', 'centerface', ['face']);
const INCOMPLETE = { ...COMPLETE, classes: ['face', 'person'] } as const;

describe('a manifest', () => {
  it('is read if every class of every model has a threshold', () => {
    expect(checkManifest({ models: [COMPLETE] }).models).toEqual([COMPLETE]);
    expect(thresholdOf(COMPLETE, 'face')).toBe(0.5);
  });

  it('is refused, naming model and class, if a class has no threshold', () => {
    const sentence = 'The model faces has no threshold for the class person.';
    expect(() => checkManifest({ models: [COMPLETE, INCOMPLETE] })).toThrow(new BadManifest(sentence));
    expect(() => thresholdOf(INCOMPLETE, 'person')).toThrow(new BadManifest(sentence));
  });
});
