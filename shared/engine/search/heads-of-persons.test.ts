import { expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { intersectionArea, boxArea, boxHeight, boxWidth } from '../../domain/boxes';
import { headOf, headSurroundings, isFaceOf } from './faces-of-persons';

const STANDING = boxOf(100, 100, 200, 400);
const CHEST_UP = boxOf(100, 100, 300, 320);

it('a head is at the top of its person, in the middle', () => {
  for (const person of [STANDING, CHEST_UP]) {
    const head = headOf(person);
    expect(head.y1).toBe(person.y1);
    expect((head.x1 + head.x2) / 2).toBe((person.x1 + person.x2) / 2);
    expect(intersectionArea(head, person)).toBeCloseTo(boxArea(head));
  }
});

it('the less of a person is visible, the larger the share of the head', () => {
  expect(boxHeight(headOf(STANDING)) / 300).toBeLessThan(0.25);
  expect(boxHeight(headOf(CHEST_UP)) / 220).toBeGreaterThan(0.45);
  const arms = boxOf(0, 0, 900, 300);
  expect(boxHeight(headOf(arms))).toBeLessThan(300 * 0.6);
});

it('the surroundings of a head are a square, with room for a leaning person', () => {
  for (const person of [STANDING, CHEST_UP]) {
    const area = headSurroundings(person);
    expect(boxWidth(area)).toBeCloseTo(boxHeight(area));
    expect(area.y1).toBeLessThan(person.y1);
    expect(intersectionArea(area, headOf(person))).toBeCloseTo(boxArea(headOf(person)));
  }
});

it('a face belongs to the person with the head at its place', () => {
  expect(isFaceOf(boxOf(130, 110, 160, 150), STANDING)).toBe(true);
  expect(isFaceOf(boxOf(130, 250, 160, 290), STANDING)).toBe(false);
  expect(isFaceOf(boxOf(210, 110, 240, 150), STANDING)).toBe(false);
});
