import { describe, expect, it } from 'vitest';
import type { Detection } from '#shared/domain/detection';
import { defaultImageOptions } from '#shared/domain/options';
import { IGNORED, ownersIn, readLabels, type LabelledClip } from './labelled-clip';
import { labelTable } from './label-table';
import { createScore, scoreLabelledFrame } from './score-labels';

const OPTIONS = defaultImageOptions({ classes: ['face', 'license-plate'] });

const CLIP: LabelledClip = {
  file: 'clip.mp4',
  sha256: '',
  width: 100,
  height: 60,
  from: 3,
  to: 5,
  objects: [
    { name: 'plate', class: 'license-plate', boxes: { '3': [20, 20, 20, 10], '4': [30, 20, 20, 10] } },
  ],
  ignored: [{ boxes: { '3': [70, 40, 20, 10] } }],
};

const plateAt = (x1: number, y1: number, x2: number, y2: number): Detection => ({
  objectClass: 'license-plate',
  score: 0.9,
  box: { x1, y1, x2, y2 },
});
const HIDDEN = plateAt(20, 20, 40, 30);

const scored = (detections: readonly Detection[], frame = 3, clip = CLIP) => {
  const score = createScore(clip);
  scoreLabelledFrame(score, { clip, frame }, detections, OPTIONS);
  return score;
};

describe('scoreLabelledFrame', () => {
  it('counts an object that is hidden completely as found', () => {
    expect(scored([HIDDEN]).objects[0]).toMatchObject({
      frames: 1,
      found: 1,
      leaked: 0,
      leastHidden: 1,
      pixels: 200,
    });
  });

  it('counts an object that nothing hides as a leak', () => {
    expect(scored([]).objects[0]).toMatchObject({ frames: 1, found: 0, leaked: 1, leastHidden: 0 });
  });

  it('counts an object of which a seventh is visible neither as found nor as a leak', () => {
    const { found, leaked } = scored([plateAt(0, 20, 34, 30)]).objects[0] as {
      found: number;
      leaked: number;
    };
    expect([found, leaked]).toEqual([0, 0]);
  });

  it('counts no frame without a label of the object', () => {
    expect(scored([HIDDEN], 5).objects[0]).toMatchObject({ frames: 0, leaked: 0 });
  });

  it('counts the pixels that a region hides outside of objects', () => {
    // The padding is 0.3 of the plate's height at its ends, and 0.2 above and below it.
    expect(scored([HIDDEN]).nextTo['license-plate']).toBe(26 * 14 - 200);
    expect(scored([HIDDEN], 5).nextTo['license-plate']).toBe(26 * 14);
  });

  it('counts no hidden pixels in ignored places', () => {
    expect(scored([plateAt(75, 43, 85, 46)]).nextTo['license-plate']).toBe(0);
  });

  it('finds a plate by a region of another class', () => {
    const region: Detection = { ...plateAt(10, 10, 50, 40), objectClass: 'face' };
    const { objects, nextTo } = scored([region]);
    expect(objects[0]).toMatchObject({ found: 1 });
    expect(nextTo['license-plate']).toBe(0);
    expect(nextTo.face).toBeGreaterThan(0);
  });

  it('counts the part inside the frame of an object that reaches beyond it', () => {
    const beyond: LabelledClip = {
      ...CLIP,
      objects: [{ name: 'plate', class: 'license-plate', boxes: { '3': [90, 20, 20, 10] } }],
    };
    expect(scored([], 3, beyond).objects[0]).toMatchObject({ pixels: 100 });
  });
});

describe('ownersIn', () => {
  it('gives a face the ellipse in its box', () => {
    const owners = ownersIn(
      { ...CLIP, objects: [{ name: 'face', class: 'face', boxes: { '3': [10, 10, 40, 40] } }] },
      3,
    );
    const own = owners.reduce((sum, owner) => sum + (owner === 1 ? 1 : 0), 0);
    expect(own / (40 * 40)).toBeCloseTo(Math.PI / 4, 1);
    expect(owners[10 * 100 + 10]).toBe(0);
  });

  it('gives a tilted plate the pixels between its corners', () => {
    const corners = { '3': [30, 10, 50, 30, 30, 50, 10, 30] } as const;
    const owners = ownersIn({ ...CLIP, objects: [{ name: 'plate', class: 'license-plate', corners }] }, 3);
    expect(owners[30 * 100 + 30]).toBe(1);
    expect(owners[12 * 100 + 12]).toBe(0);
  });

  it('places objects over ignored places', () => {
    const ignored = [{ boxes: { '3': [0, 0, 100, 60] as const } }];
    const owners = ownersIn({ ...CLIP, ignored }, 3);
    expect(owners[25 * 100 + 25]).toBe(1);
    expect(owners[0]).toBe(IGNORED);
  });
});

describe('labelTable', () => {
  it('prints recall, leaking objects and hidden pixels of each class with objects', () => {
    const score = createScore(CLIP);
    scoreLabelledFrame(score, { clip: CLIP, frame: 3 }, [HIDDEN], OPTIONS);
    scoreLabelledFrame(score, { clip: CLIP, frame: 4 }, [], OPTIONS);
    expect(labelTable(score)).toEqual([
      '| Object | Frames | Hidden to 90 % | Frames that leak | Least hidden |',
      '| --- | --- | --- | --- | --- |',
      '| plate | 2 | 1 | 1 | 0.0 % |',
      '',
      '| Class | Found in frames | Objects that leak | Hidden px next to objects, per px of objects |',
      '| --- | --- | --- | --- |',
      '| license-plate | 1 of 2 = 50.0 % | 1 of 1 | 0.41 |',
    ]);
  });

  it('reports hidden pixels of a class without objects', () => {
    const score = createScore(CLIP);
    score.nextTo.face = 12;
    expect(labelTable(score)).toContain('| face | 0 of 0 = – | 0 of 0 | 12 px, no objects |');
  });
});

describe('labels of real clips', () => {
  it.each(readLabels())(
    'lie in the labelled frames of $file, and at least in part inside the frame',
    (clip) => {
      const labels = [...clip.objects, ...clip.ignored] as LabelledClip['objects'];
      for (const { boxes = {}, corners = {} } of labels) {
        for (const frame of Object.keys({ ...boxes, ...corners }).map(Number)) {
          expect(frame).toBeGreaterThanOrEqual(clip.from);
          expect(frame).toBeLessThanOrEqual(clip.to);
        }
        for (const [x, y, width, height] of Object.values(boxes)) {
          expect(Math.min(width, height)).toBeGreaterThan(0);
          expect(x < clip.width && y < clip.height && x + width > 0 && y + height > 0).toBe(true);
        }
        for (const [x, y] of Object.values(corners)) expect(x < clip.width && y < clip.height).toBe(true);
      }
    },
  );

  it('label at least 60 frames of one clip', () => {
    expect(Math.max(...readLabels().map(({ from, to }) => to - from + 1))).toBeGreaterThanOrEqual(60);
  });
});
