import { expect, test } from 'vitest';
import { openApi } from './openapi';
import { portable } from './portable-schema';

/** Characters that change how the lines of a file are shown, and that JSON may write as escapes. */
const INVISIBLE = /[\u2028-\u202e\u2066-\u2069]/g;
const escaped = (char: string): string => String.raw`\u${char.charCodeAt(0).toString(16)}`;

test('openapi.json is up to date with the routes', async () => {
  const text = JSON.stringify(openApi(), null, 2).replace(INVISIBLE, escaped);
  await expect(`${text}\n`).toMatchFileSnapshot('openapi.json');
});

type Json = Readonly<Record<string, unknown>>;

const objectsIn = (json: unknown): Json[] => {
  if (typeof json !== 'object' || json === null) return [];
  return [...(Array.isArray(json) ? [] : [json as Json]), ...Object.values(json).flatMap(objectsIn)];
};

const description = JSON.parse(JSON.stringify(openApi())) as Json;
const objects = objectsIn(description);

test('each operation has a summary and a description of its own, as a sentence', () => {
  const operations = objects.filter(({ operationId }) => typeof operationId === 'string');
  expect(operations.length).toBeGreaterThan(20);
  for (const { operationId, description: text } of operations) {
    expect(text, String(operationId)).toMatch(/^[A-Z].{20,}\.$/);
  }
  expect(new Set(operations.map((one) => one['description'])).size).toBe(operations.length);
  expect(new Set(operations.map((one) => one['summary'])).size).toBe(operations.length);
});

test('tuples are arrays of a fixed length, and each array describes its items', () => {
  expect(objects.filter(({ items }) => Array.isArray(items))).toEqual([]);
  expect(objects.filter((one) => 'additionalItems' in one)).toEqual([]);
  expect(objects.filter(({ type, items }) => type === 'array' && !items)).toEqual([]);
  expect(objects.filter((one) => 'prefixItems' in one)).toEqual([]);
});

test('each pattern compiles in Python and RE2: no lookaround, back-reference, surrogate or escape of ECMAScript alone', () => {
  const patterns = objects.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
  expect(patterns.length).toBeGreaterThan(0);
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\(\?[=!<]|\\[1-9kucpP]|[\ud800-\udfff]/);
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
  }
});

test('a licence and a server are named', () => {
  expect(description).toMatchObject({ info: { license: { identifier: 'MIT' } }, servers: [{ url: '/' }] });
});

test('a tuple keeps its number of items, also as a field that is named like a keyword', () => {
  const items = [{ type: 'integer' }, { type: 'integer' }];
  const tuple = { type: 'array', items, minItems: 2, additionalItems: false };
  const changed = portable({ properties: { items: tuple, pattern: { type: 'string' } } });
  expect(changed).toMatchObject({
    properties: {
      items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
      pattern: { type: 'string' },
    },
  });
  const mixed = { type: 'array', items: [{ type: 'integer' }, { type: 'string' }], minItems: 2 };
  expect(() => portable(mixed)).toThrow('a tuple of different items');
});

test('a pattern refuses the same characters as before', () => {
  const pattern = String.raw`^[^\u0000-\u001f\u007f\u202a-\u202e\ud800-\udfff]+$`;
  const changed = (portable({ pattern }) as { pattern: string }).pattern;
  const [before, after] = [pattern, changed].map((source) => new RegExp(source, 'u'));
  for (const text of [
    'a',
    '',
    '\u0000',
    '\u001f',
    ' ',
    '\u007f',
    '\u0080',
    '\u2029',
    '\u202a',
    '\u202e',
    '😀',
  ]) {
    expect(after?.test(text), JSON.stringify(text)).toBe(before?.test(text));
  }
});
