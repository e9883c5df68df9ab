import * as fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { queryOf, ROUTE_NAMES } from '../contract/routes';
import { HiddenAreas } from '../contract/schemas-areas';
import { GridFormat, IgnoreAreas } from '../contract/schemas-upload';
import { matchesSchema } from './json-body';
import { isAllowedValue, type ParameterSchema } from './query';

const PARAMETERS = ROUTE_NAMES.flatMap((name) =>
  Object.entries<TSchema>(queryOf(name).properties as Record<string, TSchema>),
);

/** Values near the limits of the contract's numbers and texts, and anything else that JSON can hold. */
const NUMBERS = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, 1.5, NaN, Infinity, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 1e300),
  fc.double(),
  fc.integer({ min: -2, max: 300 }),
);
const TEXTS = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('blur', 'https://example.org/a', 'X-Name', 'a b', 'x'.repeat(300), '🚗'.repeat(150)),
);
const ANY = fc.oneof(NUMBERS, TEXTS, fc.boolean(), fc.constant(null), fc.jsonValue());

const AREA = fc.record({ topLeftX: NUMBERS, topLeftY: NUMBERS, width: NUMBERS, height: NUMBERS });
const PAIR = fc.array(NUMBERS, { maxLength: 3 });
const HIDDEN = fc.record(
  { points: fc.array(PAIR, { maxLength: 4 }), unit: TEXTS, start: NUMBERS, method: TEXTS, other: ANY },
  { requiredKeys: [] },
);

describe('a value is allowed exactly if a general JSON Schema validator allows it', () => {
  test.each(PARAMETERS)('parameter %s', (_, schema) => {
    fc.assert(
      fc.property(
        ANY,
        (value) => isAllowedValue(schema as ParameterSchema, value) === Value.Check(schema, value),
      ),
    );
  });

  test.each([
    ['format', GridFormat, fc.oneof(fc.record({ number: PAIR, overlap: PAIR }), ANY)],
    ['ignores', IgnoreAreas, fc.oneof(fc.array(fc.oneof(AREA, ANY), { maxLength: 4 }), ANY)],
    ['hides', HiddenAreas, fc.oneof(fc.array(fc.oneof(HIDDEN, ANY), { maxLength: 4 }), ANY)],
  ] as const)('JSON of %s', (_, schema, values) => {
    fc.assert(fc.property(values, (value) => matchesSchema(schema, value) === Value.Check(schema, value)));
  });
});

test('a text at its limit of code points is allowed, and one more is not', () => {
  const schema = { type: 'string', maxLength: 3 };
  expect(isAllowedValue(schema, '🚗🚗🚗')).toBe(true);
  expect(isAllowedValue(schema, '🚗🚗🚗🚗')).toBe(false);
});
