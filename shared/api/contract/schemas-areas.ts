import { Type, type Static } from 'typebox';
import { MAX_CODE_CHARS } from '../../catalogue/parameters';
import { HIDING_METHODS } from '../../catalogue/methods';
import { LIMITS } from '../../domain/limits';
import { lineOf } from './schemas-upload';

const LENGTH = Type.Number({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
const SECONDS = Type.Number({ minimum: 0, maximum: 1e9 });
/** The JSON form of `hides`. */
export const HiddenAreas = Type.Array(
  Type.Object(
    {
      topLeftX: Type.Optional(LENGTH),
      topLeftY: Type.Optional(LENGTH),
      width: Type.Optional(Type.Number({ minimum: 0, maximum: 2 ** 31 - 1 })),
      height: Type.Optional(Type.Number({ minimum: 0, maximum: 2 ** 31 - 1 })),
      points: Type.Optional(
        Type.Array(Type.Tuple([LENGTH, LENGTH]), { minItems: 3, maxItems: LIMITS.maxAreaPoints }),
      ),
      unit: Type.Optional(Type.Enum(['fraction'])),
      start: Type.Optional(SECONDS),
      end: Type.Optional(SECONDS),
      method: Type.Optional(Type.Enum([...HIDING_METHODS])),
      reason: Type.Optional(lineOf(MAX_CODE_CHARS, 'Why it is anonymised: a code of `reasons`.')),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: LIMITS.maxHiddenAreas,
    title: `a list of at most ${LIMITS.maxHiddenAreas} areas`,
    description: 'Areas that are always anonymised, instead of those of the upload; as its `hides`.',
  },
);
export type HiddenAreas = Static<typeof HiddenAreas>;
