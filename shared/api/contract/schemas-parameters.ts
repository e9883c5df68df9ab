import { Type } from 'typebox';

/** Schema keyword: a second name under which a parameter is accepted. */
export const ALIAS = 'x-alias';

/** Building blocks of query schemas. `title` says in words what a value may be; complaints quote it. */
export const flag = (description: string) => Type.Boolean({ default: false, description });
/** A flag for which "not given" means something other than false. */
export const optionalFlag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const threshold = (objects: string, defaultValue: number) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    default: defaultValue,
    description: `Minimum score of detected ${objects}.`,
  });

interface TextSchema {
  readonly title: string;
  readonly pattern: string;
  readonly maxLength: number;
  readonly description: string;
  readonly [ALIAS]?: string;
  /** The text may hold a secret: no answer repeats it, complaints included. */
  readonly writeOnly?: true;
}
export const optionalText = (schema: TextSchema) => Type.Optional(Type.String({ ...schema }));
