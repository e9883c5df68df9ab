import type { Static, TArray } from 'typebox';
import type { IgnoreArea } from '../../domain/options';
import { IgnoreAreas, uploadSchema } from '../contract/schemas-upload';
import { matchesSchema } from '../http/json-body';
import { badParameter, invalidValueError } from '../http/query';
import { parseJson } from '../http/parse-json';

type Name = 'ignores' | 'hides';

/** Reads the areas of a parameter. @throws ApiError 422 */
export const parseAreas = <S extends TArray>(schema: S, name: Name, text: string): Static<S> => {
  const value = parseJson(text);
  const { maxItems = Infinity } = schema as { readonly maxItems?: number };
  if (Array.isArray(value) && value.length > maxItems) {
    throw badParameter(name, `at most ${maxItems} areas`, String(value.length));
  }
  if (!matchesSchema(schema, value)) throw invalidValueError(name, uploadSchema.properties[name], text);
  return value;
};

export const parseIgnores = (text: string): IgnoreArea[] =>
  parseAreas(IgnoreAreas, 'ignores', text).map(({ topLeftX, topLeftY, width, height }) => ({
    x: topLeftX,
    y: topLeftY,
    width,
    height,
  }));
