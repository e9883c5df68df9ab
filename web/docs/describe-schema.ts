import type { Schema } from './openapi-document';

const LOWER = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
] as const;
const UPPER = [
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
] as const;

const bound = (schema: Schema, kinds: typeof LOWER | typeof UPPER): string[] =>
  kinds.flatMap(([key, sign]) => (schema[key] === undefined ? [] : [`${sign} ${schema[key]}`]));

/** `≥ 0, ≤ 1`; empty if all values are valid. */
export const rangeOf = (schema: Schema): string =>
  [...bound(schema, LOWER), ...bound(schema, UPPER)].join(', ');

const itemsType = ({ items, minItems, maxItems }: Schema): string => {
  if (!items) return 'array';
  const isTuple = maxItems !== undefined && minItems === maxItems;
  return isTuple ? `[${Array(maxItems).fill(typeOf(items)).join(', ')}]` : `array of ${typeOf(items)}`;
};

/** Short description of a type: `integer`, `text or null`, `array of object`. */
export const typeOf = (schema: Schema): string => {
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return itemsType(schema);
  if (schema.type === 'string') return schema.format ?? 'text';
  return schema.type ?? 'any';
};

/** One field in the description of a body. */
export interface Field {
  /** `detections[].bbox` */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

const fieldsOfProperty = (path: string, schema: Schema): Field[] => [
  { path, type: typeOf(schema), description: schema.description ?? '' },
  ...fieldsOf(schema, path),
];

/** All fields of a body, including nested objects and arrays of objects. */
export const fieldsOf = (schema: Schema, prefix = ''): Field[] => {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, property]) =>
      fieldsOfProperty(prefix === '' ? name : `${prefix}.${name}`, property),
    );
  }
  if (schema.anyOf) return schema.anyOf.flatMap((option) => fieldsOf(option, prefix));
  return schema.items ? fieldsOf(schema.items, `${prefix}[]`) : [];
};
