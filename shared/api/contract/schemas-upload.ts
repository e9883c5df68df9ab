import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { PARAMETER_NAMES, PARAMETERS, type ParameterName } from '../../catalogue/derive-parameters';
import { MAX_CODE_CHARS, ONE_LINE } from '../../catalogue/parameters';
import type { ParameterEntry, ParameterValue } from '../../catalogue/parameter-entry';
import { LIMITS } from '../../domain/limits';

/** Schema keyword: a second name under which a parameter is accepted. */
export const ALIAS = 'x-alias';

const valueSchema = (value: ParameterValue): TSchema => {
  switch (value.type) {
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { enum: value.of };
    case 'number':
      return { type: value.whole ? 'integer' : 'number', minimum: value.min, maximum: value.max };
    case 'text': {
      const { type: _text, form, ...limits } = value;
      return { type: 'string', title: form, ...limits };
    }
  }
};

const parameterSchema = ({ value, description, ...entry }: ParameterEntry): TSchema => ({
  ...valueSchema(value),
  ...('default' in value && { default: value.default }),
  ...(entry.alias !== undefined && { [ALIAS]: entry.alias }),
  ...(entry.isDeprecated && { deprecated: true }),
  ...(entry.isSecret && { writeOnly: true }),
  description,
});

/** Schema of the query of `POST /v1/file`. Its type is written by hand, because TypeBox would take seconds for it. */
export const uploadSchema = Type.Object(
  Object.fromEntries(PARAMETER_NAMES.map((name) => [name, parameterSchema(PARAMETERS[name])])),
) as TObject<Readonly<Record<ParameterName, TSchema>>>;

const ONE_OR_MORE = Type.Integer({ minimum: 1, maximum: LIMITS.maxTiles });
const OVERLAP = Type.Number({ minimum: 0, exclusiveMaximum: 1 });

/** The JSON form of `format`. */
export const GridFormat = Type.Object({
  number: Type.Tuple([ONE_OR_MORE, ONE_OR_MORE], { description: '[columns, rows]' }),
  overlap: Type.Tuple([OVERLAP, OVERLAP], { description: "Share of a tile's [width, height]." }),
});
export type GridFormat = Static<typeof GridFormat>;

const COORDINATE = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
const EXTENT = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 });

/** Pixels of the upright image. */
export const IgnoreArea = Type.Object({
  topLeftX: COORDINATE,
  topLeftY: COORDINATE,
  width: EXTENT,
  height: EXTENT,
});
/** The JSON form of `ignores`. */
export const IgnoreAreas = Type.Array(IgnoreArea, { maxItems: LIMITS.maxIgnoreAreas });
export type IgnoreAreas = Static<typeof IgnoreAreas>;

/** One line of text in a body. */
export const lineOf = (maxChars: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: maxChars,
    pattern: ONE_LINE,
    title: `a text of 1 to ${maxChars} characters without control characters`,
    description,
  });

/** A reason for which objects are anonymised. */
export const ReasonCode = Type.Object(
  {
    code: lineOf(MAX_CODE_CHARS, 'By which edits, report and log name it, such as `b6`.'),
    label: lineOf(LIMITS.maxReasonTextChars, 'What it means.'),
    legal_basis: Type.Optional(
      lineOf(LIMITS.maxReasonTextChars, 'The law that it refers to, such as `5 U.S.C. § 552(b)(6)`.'),
    ),
    colour: Type.Optional(
      Type.String({
        pattern: '^#[0-9a-fA-F]{6}$',
        title: 'a colour such as #b4e053',
        description: 'In the page, such as `#b4e053`.',
      }),
    ),
  },
  { additionalProperties: false },
);
/** The JSON form of `reasons`. */
export const ReasonCodes = Type.Array(ReasonCode, {
  maxItems: LIMITS.maxReasons,
  title: `a list of at most ${LIMITS.maxReasons} reasons`,
});

/** Field of answers, records and reports. */
export const ignoredParameters = Type.Optional(
  Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 20,
    description:
      'Parameters of the upload that the API does not have, as they were sent; absent if there are none.',
  }),
);

/** Answer to an image upload. */
export const UploadResponse = Type.Object({
  content_type: Type.String(),
  id: Type.String({ format: 'uuid' }),
  metadata_url: Type.String(),
  binary_mask_url: Type.String(),
  instance_mask_url: Type.String(),
  anonymised_url: Type.String(),
  ignored_parameters: ignoredParameters,
});
export type UploadResponse = Static<typeof UploadResponse>;

/** Answer to a video upload. */
export const VideoUploadResponse = Type.Object({
  content_type: Type.String(),
  id: Type.String({ format: 'uuid' }),
  anonymized_video: Type.String(),
  metadata_url: Type.String(),
  ignored_parameters: ignoredParameters,
});
export type VideoUploadResponse = Static<typeof VideoUploadResponse>;
