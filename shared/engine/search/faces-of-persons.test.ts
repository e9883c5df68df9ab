import { describe, expect, it } from 'vitest';
import {
  type FakeNetwork,
  colourCenterNet,
  fakeSessions,
  modelEntry,
  oneFaceOf,
} from '../../testing/fake-models';
import { boxOf } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import type { Detection } from '../../domain/detection';
import { defaultImageOptions, type ImageOptions } from '../../domain/options';
import { createPyramid } from '../pixels/pyramid';
import { personsWithoutFace, headOf, isFaceOf } from './faces-of-persons';
import { findObjects } from './find-objects';
import type { SearchScope } from './plan-search';

const PERSON = boxOf(260, 40, 360, 340);
/** What is full green is a person to the fake detector. */
const STREET = createRaster(640, 384, (x, y) =>
  x >= PERSON.x1 && x < PERSON.x2 && y >= PERSON.y1 && y < PERSON.y2 ? [0, 250, 0] : [80, 80, 80],
);
const person = { objectClass: 'person', score: 0.8, box: PERSON } as const;

/** A CenterFace that sees a face of 128 px amid what it is shown, if that is small, and else nothing. */
const closeFaceNet =
  (score: number, onRun: (side: number) => void): FakeNetwork =>
  ({ dims }) => {
    const [height, width] = [dims[2]!, dims[3]!];
    onRun(Math.max(width, height));
    const [rows, columns] = [height / 4, width / 4];
    const middle = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    return oneFaceOf({ rows, columns }, middle, width <= 256 ? score : 0, 128);
  };

const MANIFEST = {
  models: [
    { ...modelEntry('faces', 'centerface', ['face'], { multipleOf: 128, longSides: [512] }) },
    modelEntry('objects', 'centernet', ['person', 'vehicle'], { multipleOf: 32, longSides: [640] }),
  ],
};
const WHOLE: SearchScope = { depth: 'whole', expected: [], isVideo: false };

interface Outcome {
  readonly found: readonly Detection[];
  /** Sides of what the face detector was shown. */
  readonly sides: readonly number[];
  /** How often persons were looked for. */
  readonly personRuns: number;
}

const searchFor = async (
  changed: Partial<ImageOptions>,
  { faceScore = 0.9, scope = WHOLE } = {},
): Promise<Outcome> => {
  const sides: number[] = [];
  let personRuns = 0;
  const objects = colourCenterNet(0.8);
  const sessions = fakeSessions({
    faces: closeFaceNet(faceScore, (side) => sides.push(side)),
    objects: (input) => {
      personRuns++;
      return objects(input);
    },
  });
  const found = await findObjects(
    createPyramid(STREET),
    defaultImageOptions(changed),
    { sessions, manifest: MANIFEST },
    { signal: new AbortController().signal, scope },
  );
  return { found, sides, personRuns };
};
const classesOf = ({ found }: Outcome) => found.map(({ objectClass }) => objectClass);

describe('a person without a detected face', () => {
  it('is searched again, only at the head, if a person detector runs anyway', async () => {
    const outcome = await searchFor({ classes: ['face', 'person'] });
    expect(outcome.sides).toEqual([512, 256]);
    expect(classesOf(outcome)).toEqual(['face', 'person']);
    expect(isFaceOf(outcome.found[0]!.box, PERSON)).toBe(true);
  });

  it('is not detected for this purpose alone', async () => {
    const usual = await searchFor({ classes: ['face'] });
    expect(usual).toMatchObject({ found: [], sides: [512], personRuns: 0 });
  });

  it('is searched only once by the fast preset, and in frames that are searched quickly', async () => {
    const classes = ['face', 'person'] as const;
    expect((await searchFor({ classes, qualityPreset: 'fast' })).sides).toEqual([512]);
    const scope = { ...WHOLE, depth: 'quick', isVideo: true } as const;
    expect((await searchFor({ classes }, { scope })).sides).toEqual([512]);
  });

  it('gets only faces above the threshold of all faces', async () => {
    const unsure = await searchFor({ classes: ['face', 'person'] }, { faceScore: 0.3 });
    expect(classesOf(unsure)).toEqual(['person']);
  });

  it('is hidden at the head on request, if the second pass finds no face either', async () => {
    const classes = ['face'] as const;
    const hidden = await searchFor({ classes, headFallback: true }, { faceScore: 0.3 });
    expect(classesOf(hidden)).toEqual(['face']);
    const { box } = hidden.found[0]!;
    expect(Math.abs(box.y1 - headOf(PERSON).y1)).toBeLessThan(4);
    const seen = await searchFor({ classes, headFallback: true });
    expect(seen.found).toHaveLength(1);
    expect(seen.found[0]!.score).toBeCloseTo(0.9);
  });

  it('is hidden at the head for any threshold of faces', async () => {
    const thresholds = { ...defaultImageOptions({}).thresholds, face: 0.95 };
    const { found } = await searchFor({ classes: ['face'], headFallback: true, thresholds });
    expect(found).toMatchObject([{ objectClass: 'face', score: 0.95 }]);
  });

  it('is not hidden at the head if only other classes are wanted', async () => {
    const { found } = await searchFor({ classes: ['vehicle'], headFallback: true });
    expect(found).toEqual([]);
  });

  it('is not searched again if the head is too small to be recognised', () => {
    const far = { ...person, box: boxOf(0, 0, 20, 60) };
    expect(personsWithoutFace([person, far], [])).toEqual([person]);
    const face = { objectClass: 'face', score: 0.9, box: boxOf(290, 50, 330, 90) } as const;
    expect(personsWithoutFace([person], [face])).toEqual([]);
  });
});
