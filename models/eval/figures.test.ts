import { describe, expect, it } from 'vitest';
import type { Box } from '#shared/domain/boxes';
import { renderMask } from '#shared/engine/redact/mask';
import { boxOf, found, planFor } from '#shared/testing/plans';
import { describeChanges, readTable } from './against';
import { readReviewed } from './data-sets';
import { interval } from './interval';
import type { LabelledImage } from './labelled-image';
import { countOverBlur, measureOverBlur } from './over-blur';
import { countPixels, measurePixels } from './pixels';
import { averagePrecision, matchImage, measure, recallBySize } from './score';
import { heading, lineText } from './table';

const square = (x: number, side = 10): Box => ({ x1: x, y1: 0, x2: x + side, y2: side });
const outcomeWith = (...scores: readonly (readonly [number, boolean])[]) =>
  matchImage(
    scores.map(([score, isRight], i) => ({ score, box: square(isRight ? 100 * i : 100 * i + 50) })),
    scores.map((_, i) => square(100 * i)),
    [],
  );

describe('average precision', () => {
  it('is 1 if all correct detections have higher scores than all wrong ones', () => {
    expect(averagePrecision([outcomeWith([0.9, true], [0.8, true])])).toBe(1);
  });

  it('is the area under the precision curve, made monotonic', () => {
    // Correct, wrong, correct of three: precision 1 and 2/3 at recalls 1/3 and 2/3.
    const outcome = outcomeWith([0.9, true], [0.8, false], [0.7, true]);
    expect(averagePrecision([outcome])).toBeCloseTo((1 + 2 / 3) / 3, 10);
  });

  it('is zero without detections', () => {
    expect(averagePrecision([matchImage([], [square(0)], [])])).toBe(0);
  });
});

describe('recall by size', () => {
  it('is counted separately for each range of sizes', () => {
    const outcome = matchImage(
      [{ score: 0.9, box: square(0) }],
      [square(0), square(50, 20), square(200, 64)],
      [],
    );
    expect(recallBySize([outcome], 0.5)).toEqual([
      { truths: 1, recall: 1 },
      { truths: 1, recall: 0 },
      { truths: 0, recall: Number.NaN },
      { truths: 1, recall: 0 },
    ]);
  });
});

describe('a wrong box', () => {
  it('counts as hiding nothing only if it touches no object', () => {
    const boxes = [square(6), square(60)].map((box) => ({ score: 0.9, box }));
    expect(measure([matchImage(boxes, [square(0)], [])], 0.5)).toMatchObject({
      falsePerImage: 2,
      strayPerImage: 1,
    });
  });
});

describe('uncovered pixels', () => {
  const PLATE = found('license-plate', boxOf(20, 20, 60, 40));
  const truthAt = (box: Box) => ({ objectClass: 'license-plate' as const, box });
  const planOf = planFor({ width: 100, height: 60 }, [PLATE], { method: 'blacken' });

  it('are the visible pixels of a found object, and all pixels of an object that nothing hides', () => {
    const found = countPixels(
      [truthAt(boxOf(20, 20, 60, 40)), truthAt(boxOf(80, 40, 90, 50))],
      [planOf.regions[0], undefined],
      planOf,
    );
    expect(found.found).toEqual({ pixels: 800, uncovered: 0 });
    expect(found.missed).toEqual({ pixels: 100, uncovered: 100 });
  });

  it('decide which objects are hidden, whatever their detected class is', () => {
    const truths = [boxOf(25, 25, 35, 35), boxOf(20, 20, 60, 40), boxOf(55, 20, 95, 40)].map(truthAt);
    const outcome = countPixels(truths, [undefined, planOf.regions[0], undefined], planOf);
    expect(measurePixels([outcome]).hidden).toBeCloseTo(2 / 3, 10);
  });

  it("are zero for a missed object that another object's region hides", () => {
    const { missed } = countPixels([truthAt(boxOf(25, 25, 35, 35))], [undefined], planOf);
    expect(missed).toEqual({ pixels: 100, uncovered: 0 });
  });

  it('are measured with the labelled outline, if there is one', () => {
    const outline = [[20, 20, 60, 20, 60, 30, 20, 30]];
    const truth = { ...truthAt(boxOf(20, 20, 60, 30)), outline };
    const outcome = countPixels([truth], [planOf.regions[0]], planOf);
    expect(outcome.found).toEqual({ pixels: 400, uncovered: 0 });
    expect(measurePixels([outcome]).maskRecall).toBe(1);
    const hidden = renderMask(planOf, 'binary', 100).data.filter((value) => value > 0);
    expect(measurePixels([outcome]).maskIou).toBeCloseTo(400 / hidden.length, 10);
  });
});

describe('over-blur', () => {
  const PLATE = found('license-plate', boxOf(20, 20, 60, 40));
  const planOf = planFor({ width: 100, height: 60 }, [PLATE], { method: 'blacken' });
  const hidden = renderMask(planOf, 'binary', 100).data.filter((value) => value > 0).length;
  const person = {
    objectClass: 'person' as const,
    box: boxOf(20, 20, 60, 30),
    outline: [[20, 20, 60, 20, 60, 30, 20, 30]],
  };
  const shareBeside = (image: Pick<LabelledImage, 'truth' | 'uncounted'>): number | undefined => {
    const counts = countOverBlur({ path: '', ...image }, planOf.regions, planOf);
    return counts && measureOverBlur([counts]);
  };

  it('is the share of the hidden pixels outside the outlines of objects of all classes', () => {
    expect(shareBeside({ truth: [person], uncounted: [] })).toBeCloseTo(1 - 400 / hidden, 10);
    expect(shareBeside({ truth: [], uncounted: [] })).toBe(1);
  });

  it('does not count pixels of areas whose objects are not labelled', () => {
    const uncounted = [{ objectClass: 'person' as const, box: boxOf(20, 30, 60, 40) }];
    expect(shareBeside({ truth: [person], uncounted })).toBeCloseTo((hidden - 800) / (hidden - 400), 10);
  });

  it('is not measured where an object has no labelled outline', () => {
    const { outline: _, ...boxed } = person;
    expect(shareBeside({ truth: [boxed], uncounted: [] })).toBeUndefined();
  });
});

describe('an unlabelled plate or face that a person confirmed', () => {
  const review = readReviewed();

  it.each([
    ['cars-cc0-v2_Cars105.jpg', 'license-plate'],
    ['2008_002079.jpg', 'face'],
  ])(
    'counts neither as correct nor as wrong if it is detected, and not as missed if it is not: %s',
    (file, objectClass) => {
      const { uncounted } = review({ path: `photos/${file}`, truth: [], uncounted: [] });
      expect(uncounted.map((label) => label.objectClass)).toContain(objectClass);
      const boxes = uncounted.map(({ box }) => box);
      const outcome = matchImage([{ score: 0.9, box: boxes[0] as Box }], [], boxes);
      expect(outcome).toMatchObject({ found: [], truths: 0 });
    },
  );

  it('does not affect a photo that was not reviewed', () => {
    expect(review({ path: 'photos/unknown.jpg', truth: [], uncounted: [] }).uncounted).toEqual([]);
  });
});

describe('a confidence interval', () => {
  it('contains the figure, and is wider for fewer images', () => {
    const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
    const few = interval([0, 1, 0, 1], mean);
    const many = interval(
      Array.from({ length: 400 }, (_, i) => i % 2),
      mean,
    );
    expect(few.from).toBeLessThan(0.5);
    expect(many.to - many.from).toBeLessThan(few.to - few.from);
    expect(many.from).toBeLessThan(0.5);
    expect(many.to).toBeGreaterThan(0.5);
  });
});

describe('two tables', () => {
  const facts = {
    set: 'faces',
    objectClass: 'face',
    threshold: 0.5,
    images: 3,
    time: { ms: 10, processorMs: 20 },
  } as const;
  const table = (right: boolean): string =>
    [heading, lineText({ facts, measure: measure([outcomeWith([0.9, right])], 0.5) })].join('\n');

  it('are compared column by column', () => {
    const [changes] = describeChanges(readTable(table(false)), readTable(table(true)));
    expect(changes).toContain('faces, face, 0.50: Recall (IoU 0.5) 0 → 1; Precision 0 → 1');
  });

  it('are reported as equal if they do not differ', () => {
    expect(describeChanges(readTable(table(true)), readTable(`text\n\n${table(true)}\n\nmore`))).toEqual([
      '- faces, face, 0.50: nothing changed',
    ]);
  });
});
