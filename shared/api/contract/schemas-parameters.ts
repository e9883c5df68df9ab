import { Type } from 'typebox';

/** Schema keyword: a second name under which a parameter is accepted. */
export const ALIAS = 'x-alias';

/** Building blocks of query schemas. `title` describes the allowed values in words, for error messages. */
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
  /** The text may contain a secret, so no answer and no error message contains it. */
  readonly writeOnly?: true;
}
export const optionalText = (schema: TextSchema) => Type.Optional(Type.String({ ...schema }));
