import type { Static, TObject, TSchema } from 'typebox';
import type { UploadQuery } from '../../catalogue/derive-parameters';
import { ApiError } from '../contract/errors';
import { ALIAS, uploadSchema } from '../contract/schemas-upload';
import type { HandlerRequest } from './http';

/** The fields of a parameter's JSON schema that the parser uses. */
export interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly title?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly [ALIAS]?: string;
  readonly writeOnly?: boolean;
}
type Parameter = string | number | boolean;

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};
const MAX_QUOTED_CHARS = 60;

/** A client's text in quotes for an error message, on one line and of limited length. */
export const quoted = (text: string): string => {
  const plain = text.replace(/\p{C}/gu, '?');
  return `"${plain.length > MAX_QUOTED_CHARS ? `${plain.slice(0, MAX_QUOTED_CHARS)}…` : plain}"`;
};

/** Parses `True`, `1`, `yes`, `on` and their opposites, in any case. @returns undefined for other texts */
export const parseFlag = (text: string): boolean | undefined => {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined;
};

/** The error for a parameter: its name, the allowed values and the actual one. */
export const badParameter = (name: string, allowed: string, came: string): ApiError =>
  new ApiError('bad_parameter', name, allowed, quoted(came));

const allowedNumbers = ({ type, minimum, exclusiveMinimum, maximum }: ParameterSchema): string => {
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum === undefined && exclusiveMinimum === undefined) return kind;
  const from = exclusiveMinimum === undefined ? `from ${minimum}` : `above ${exclusiveMinimum}`;
  return maximum === undefined ? `${kind} ${from} on` : `${kind} ${from} to ${maximum}`;
};

/** What a value may be, in words. */
export const allowedValues = (schema: ParameterSchema): string => {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'boolean') return 'true or false';
  return schema.title ?? allowedNumbers(schema);
};

/** The error for a value that its parameter's schema does not allow. It does not contain secrets. */
export const invalidValueError = (name: string, schema: TSchema, came: string): ApiError =>
  (schema as ParameterSchema).writeOnly
    ? new ApiError('bad_parameter', name, allowedValues(schema), 'what was sent')
    : badParameter(name, allowedValues(schema), came);

const isNumberOf = (
  { type, minimum, exclusiveMinimum, maximum, exclusiveMaximum }: ParameterSchema,
  value: number,
): boolean =>
  Number.isFinite(value) &&
  (type !== 'integer' || Number.isInteger(value)) &&
  (minimum === undefined || value >= minimum) &&
  (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
  (maximum === undefined || value <= maximum) &&
  (exclusiveMaximum === undefined || value < exclusiveMaximum);

/** Limits count code points, as in JSON Schema. A text never has more of them than UTF-16 units. */
const isTextOf = ({ pattern, maxLength = Infinity }: ParameterSchema, value: string): boolean =>
  (value.length <= maxLength || [...value].length <= maxLength) &&
  (pattern === undefined || new RegExp(pattern, 'u').test(value));

/**
 * Whether a schema allows a text, a number or a flag.
 *
 * Written for the schemas of this API alone: a general validator has more code than the whole handling of requests,
 * and the page loads it before its first image.
 */
export const isAllowedValue = (schema: ParameterSchema, value: unknown): boolean => {
  if (schema.enum) return schema.enum.includes(value as string);
  if (schema.type === 'boolean') return typeof value === 'boolean';
  if (schema.type === 'string') return typeof value === 'string' && isTextOf(schema, value);
  return typeof value === 'number' && isNumberOf(schema, value);
};

const parseText = (text: string, schema: ParameterSchema): Parameter | undefined => {
  if (schema.type === 'boolean') return parseFlag(text);
  if (schema.type !== 'number' && schema.type !== 'integer') return text;
  return NUMBER.test(text) ? Number(text) : undefined;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('bad_query');
  }
};

/** Normalises a parameter's name: dashes and underscores are equal. */
const normalisedName = (name: string): string => name.replaceAll('_', '-');

/** What a request says of parameters, by normalised names and in its order: texts, or values. */
type Given = readonly (readonly [name: string, value: Parameter])[];

/** Names and values as they were sent, in their order. Empty values are ignored. */
const pairsOf = (url: string): (readonly [name: string, value: string])[] => {
  const start = url.indexOf('?');
  const search = start < 0 ? '' : url.slice(start + 1).replace(/#.*$/s, '');
  return search
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      return [name, equals < 0 ? '' : decode(pair.slice(equals + 1)).trim()] as const;
    })
    .filter(([, value]) => value !== '');
};

/** The names of a schema's parameters, and other names under which they are accepted. */
export const namesOf = ({ properties }: TObject): readonly string[] =>
  Object.entries<TSchema>(properties).flatMap(([name, property]) => {
    const alias = (property as ParameterSchema)[ALIAS];
    return [normalisedName(name), ...(alias === undefined ? [] : [alias])];
  });

/** The names in a query that its schema does not have, each once and as it was sent. */
export const unknownNames = (schema: TObject, url: string): readonly string[] => {
  const known = namesOf(schema);
  const names = new Set(pairsOf(url).map(([name]) => name));
  return [...names].filter((name) => name.trim() !== '' && !known.includes(normalisedName(name)));
};

const readParameter = (name: string, schema: TSchema, given: readonly Parameter[]): Parameter => {
  const facts = schema as ParameterSchema;
  const values = given.map((one) => {
    const value = typeof one === 'string' ? parseText(one, facts) : one;
    if (value === undefined || !isAllowedValue(facts, value)) {
      throw invalidValueError(name, schema, String(one));
    }
    return value;
  });
  const [first] = values;
  if (values.some((value) => value !== first)) throw new ApiError('contradictory_parameter', name);
  return first!;
};

/**
 * Reads the parameters of a request strictly: values out of range are refused and never clamped.
 *
 * Names may be written with dashes or underscores. Unknown names are not its concern: see `unknown-parameters.ts`. A
 * parameter that is given several times, in any spelling, must always have the same value, so that no order of
 * precedence is needed.
 *
 * @throws ApiError 422
 */
export const readQuery = <S extends TObject>(schema: S, url: string): Partial<Static<S>> =>
  readGiven(
    schema,
    pairsOf(url).map(([name, value]) => [normalisedName(name), value] as const),
  );

/** The same of values, which pass the same checks. Lists and objects are parameters as JSON. @throws ApiError 422 */
export const readValues = <S extends TObject>(
  schema: S,
  values: Readonly<Record<string, Parameter | object | undefined>>,
): Partial<Static<S>> => {
  const given = Object.entries(values).flatMap(([name, value]) => {
    const one = typeof value === 'object' ? JSON.stringify(value) : value;
    return one === undefined || one === '' ? [] : [[normalisedName(name), one] as const];
  });
  return readGiven(schema, given);
};

const readGiven = <S extends TObject>(schema: S, given: Given): Partial<Static<S>> => {
  const sentAs = (wanted: string) => given.filter(([name]) => name === wanted).map(([, value]) => value);
  const parameters: Record<string, Parameter> = {};
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const alias = (property as ParameterSchema)[ALIAS];
    const values = [...sentAs(normalisedName(name)), ...(alias === undefined ? [] : sentAs(alias))];
    if (values.length > 0) parameters[name] = readParameter(name, property, values);
  }
  return parameters as Partial<Static<S>>;
};

/** Reads the parameters of an upload. @throws ApiError 422 */
export const readUpload = (url: string): Partial<UploadQuery> =>
  readQuery(uploadSchema as TObject, url) as Partial<UploadQuery>;

/** Adds the schema's defaults for parameters that were not given. */
export const withDefaults = <S extends TObject>(schema: S, given: Partial<Static<S>>): Static<S> => {
  const defaults = Object.entries<TSchema>(schema.properties)
    .map(([name, property]) => [name, (property as ParameterSchema).default] as const)
    .filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(defaults), ...given } as Static<S>;
};

const ASYNC_HEADER = 'x-is-async';

/** Whether the client wants the answer at once, and not when the work is done. @throws ApiError 422 */
export const wantsAsync = ({ headers }: Pick<HandlerRequest, 'headers'>): boolean => {
  const text = headers[ASYNC_HEADER]?.trim() ?? '';
  const value = text === '' ? false : parseFlag(text);
  if (value === undefined) throw badParameter(ASYNC_HEADER, 'true or false', text);
  return value;
};
