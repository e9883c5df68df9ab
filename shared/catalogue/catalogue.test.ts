import { expect, it } from 'vitest';
import { CLASSES, codesOf, DEFAULT_CLASSES, OBJECT_CLASSES, REPORTED_CLASSES } from './classes';
import { HIDING_METHODS, METHODS } from './methods';

it.each(['typeCode', 'objects'] as const)('no two classes have the same %s', (field) => {
  expect(new Set(OBJECT_CLASSES.map((name) => CLASSES[name][field])).size).toBe(OBJECT_CLASSES.length);
});

it.each(['typeCode', 'maskBit'] as const)('no two reported classes have the same %s', (field) => {
  expect(new Set(REPORTED_CLASSES.map((name) => codesOf(name)[field])).size).toBe(REPORTED_CLASSES.length);
});

it('names of classes and methods are written with small letters and hyphens', () => {
  expect([...OBJECT_CLASSES, ...METHODS].join(' ')).toMatch(/^[a-z]+([ -][a-z]+)*$/);
});

it('a request that names no class hides faces, plates, persons and vehicles', () => {
  expect(DEFAULT_CLASSES).toEqual(['face', 'license-plate', 'person', 'vehicle']);
});

it('every method hides but detect', () => {
  expect(METHODS.filter((name) => !HIDING_METHODS.some((one) => one === name))).toEqual(['detect']);
});
