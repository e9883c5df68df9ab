import { expect, test } from 'vitest';
import { openApi } from '#shared/api/contract/openapi';
import { FILE_PART, queryOf, ROUTE_NAMES, ROUTES } from '#shared/api/contract/routes';
import { fieldsOf, rangeOf, typeOf, operationsOf, type OpenApiDocument } from './openapi-document';

const description = openApi() as unknown as OpenApiDocument;
const operations = operationsOf(description);

test('every route is an operation, with a tag that the description lists', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual([...ROUTE_NAMES].sort());
  const tags = description.tags.map(({ name }) => name);
  for (const { id, tag, method, path } of operations) {
    const route = ROUTES[id as keyof typeof ROUTES];
    expect([method, path]).toEqual([route.method, route.path]);
    expect(tags, id).toContain(tag);
  }
});

test('only uploads and subjects take a file', () => {
  expect(operations.filter(({ filePart }) => filePart !== undefined)).toMatchObject([
    { id: 'uploadFile', filePart: { name: FILE_PART } },
    { id: 'createSubject', filePart: { name: FILE_PART } },
  ]);
});

test('every parameter of a route is listed', () => {
  for (const { id, parameters } of operations) {
    const query = queryOf(id as keyof typeof ROUTES);
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(names, id).toEqual(Object.keys(query.properties));
  }
});

test('references to the schema of an error are resolved', () => {
  const refusal = operations[0]?.responses.find(({ status }) => status === '422');
  expect(fieldsOf(refusal?.schema ?? {}).map(({ path }) => path)).toEqual(['detail']);
});

test('a range shows whether its ends are included', () => {
  expect(rangeOf({ minimum: 0, maximum: 1 })).toBe('≥ 0, ≤ 1');
  expect(rangeOf({ exclusiveMinimum: 0, exclusiveMaximum: 1 })).toBe('> 0, < 1');
  expect(rangeOf({ type: 'string' })).toBe('');
});

test('types have short descriptions', () => {
  expect(typeOf({ enum: ['a', 'b'] })).toBe('a | b');
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('text or null');
  expect(typeOf({ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 })).toBe(
    '[integer, integer]',
  );
  expect(typeOf({ type: 'array', items: { type: 'object' } })).toBe('array of object');
});

test('nested fields are named by their path from the top', () => {
  const metadata = operations.find(({ id }) => id === 'getMetadata')?.responses[0]?.schema;
  const fields = fieldsOf(metadata ?? {});
  const paths = fields.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['detections', 'detections[].bbox', 'size']));
  expect(fields.find(({ path }) => path === 'size')?.type).toBe('[integer, integer]');
});
