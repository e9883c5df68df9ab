import { Type, type Static } from 'typebox';
import { HIDING_METHODS } from '../../catalogue/methods';
import { LIMITS } from '../../domain/limits';

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
    },
    { additionalProperties: false },
  ),
  { maxItems: LIMITS.maxHiddenAreas },
);
export type HiddenAreas = Static<typeof HiddenAreas>;
