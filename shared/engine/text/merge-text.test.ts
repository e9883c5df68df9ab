import { describe, expect, it } from 'vitest';
import { cornerBounds, mapCorners, shorterEdge, rotateAround, type Corners } from '../../domain/detection';
import { mergeText, polygonArea, convexIntersectionArea, type FoundText } from './merge-text';

const CONFIDENT = 0.5;
const textAt = (
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  { degrees = 0, score = 0.9 }: { degrees?: number; score?: number } = {},
): FoundText => {
  const level: Corners = [
    [x1, y1],
    [x2, y1],
    [x2, y2],
    [x1, y2],
  ];
  const corners = mapCorners(level, (corner) => rotateAround(corner, [200, 200], (degrees * Math.PI) / 180));
  return { objectClass: 'text', score, box: cornerBounds(corners), corners, cut: { x: false, y: false } };
};
const merged = (...texts: FoundText[]): FoundText[] => mergeText(texts, CONFIDENT);
/** Share of a text that others cover, if they do not overlap. */
const coveredShare = (text: FoundText, by: readonly FoundText[]): number =>
  by.reduce((sum, { corners }) => sum + convexIntersectionArea(text.corners, corners), 0) /
  polygonArea(text.corners);

describe.each([0, 30, 90])('text turned by %i°', (degrees) => {
  it('is reported once if several scales find it, whole or in words', () => {
    const line = textAt([100, 100, 300, 120], { degrees });
    const words = [textAt([102, 101, 180, 119], { degrees }), textAt([200, 102, 298, 119], { degrees })];
    expect(merged(...words, line)).toEqual([line]);
    expect(merged(line, ...words)).toEqual([line]);
  });

  it('is one line if two windows cut it, and covers all of both parts', () => {
    const [left, right] = [
      textAt([100, 100, 230, 121], { degrees, score: 0.7 }),
      textAt([190, 99, 300, 120], { degrees }),
    ];
    const found = merged(left, right);
    expect(found).toHaveLength(1);
    expect(found[0]!.score).toBe(0.9);
    for (const part of [left, right]) expect(coveredShare(part, found)).toBeCloseTo(1);
  });

  it('stays apart from a word that touches its end in another height', () => {
    const [line, word] = [
      textAt([100, 100, 300, 120], { degrees }),
      textAt([290, 106, 330, 126], { degrees }),
    ];
    expect(merged(line, word)).toHaveLength(2);
  });

  it('never grows line by line over a page', () => {
    const lines = Array.from({ length: 12 }, (_, i) =>
      textAt([100, 100 + 7 * i, 300, 124 + 7 * i], { degrees }),
    );
    const found = merged(...lines);
    for (const { corners } of found) expect(shorterEdge(corners)).toBeLessThan(1.3 * 24 + 0.01);
    for (const line of lines) expect(coveredShare(line, found)).toBeGreaterThan(0.99);
  });

  it('stays apart from the next line, even if their margins overlap', () => {
    expect(
      merged(textAt([100, 100, 300, 124], { degrees }), textAt([100, 118, 300, 142], { degrees })),
    ).toHaveLength(2);
  });
});

describe('a part of other text', () => {
  it('is kept if the other text is too weak to be hidden', () => {
    const weak = textAt([100, 100, 300, 160], { score: 0.4 });
    const word = textAt([120, 110, 180, 130]);
    expect(merged(weak, word)).toHaveLength(2);
    expect(merged({ ...weak, score: 0.6 }, word)).toHaveLength(1);
  });

  it('is joined with it if more than its margin is next to it', () => {
    const line = textAt([100, 100, 300, 120]);
    const word = textAt([260, 100, 310, 121]);
    const found = merged(line, word);
    expect(coveredShare(word, found)).toBeCloseTo(1);
    expect(coveredShare(line, found)).toBeCloseTo(1);
  });
});

it('crossing lines are kept next to each other', () => {
  expect(merged(textAt([100, 190, 300, 210]), textAt([100, 190, 300, 210], { degrees: 60 }))).toHaveLength(2);
});
