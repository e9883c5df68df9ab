import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { OBJECT_CLASSES } from '#shared/catalogue/classes';
import { IMAGE_SOURCE_FORMATS } from '#shared/catalogue/formats';
import { METADATA_KINDS, type ImageHeader } from '#shared/domain/image-header';
import { DEFAULT_ENCODINGS } from '#shared/tasks/files/task-files';
import type { SentImageResult } from './served-process';

const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const Px = Type.Integer({ minimum: 0 });
const Box = Type.Object({ x1: Type.Number(), y1: Type.Number(), x2: Type.Number(), y2: Type.Number() });

const Colour = Type.Union([
  Type.Object({ primaries: Px, transfer: Px }),
  Type.Object({ gamma: Px, chromaticities: Type.Optional(Type.Array(Px, { minItems: 8, maxItems: 8 })) }),
]);

const Header = Type.Object({
  format: oneOf(IMAGE_SOURCE_FORMATS),
  width: Px,
  height: Px,
  orientation: Type.Integer({ minimum: 1, maximum: 8 }),
  hasAlpha: Type.Boolean(),
  colour: Type.Optional(Colour),
  exif: Type.Optional(Type.Array(Type.Tuple([Px, Px]))),
  metadata: Type.Array(oneOf(METADATA_KINDS)),
});

/** What the host uses itself: names of files, numbers and lists of the report. The rest is stored as data. */
const ImageResult = Type.Object({
  format: oneOf(Object.keys(DEFAULT_ENCODINGS)),
  report: Type.Object({
    width: Px,
    height: Px,
    durationS: Type.Number(),
    detections: Type.Array(
      Type.Object({
        id: Px,
        objectClass: oneOf(OBJECT_CLASSES),
        score: Type.Number(),
        box: Box,
        isAnonymised: Type.Boolean(),
        color: Type.Array(Px, { minItems: 3, maxItems: 3 }),
      }),
    ),
  }),
  models: Type.Array(Type.Object({ id: Type.String(), sha256: Type.String() })),
  plan: Type.Object({ width: Px, height: Px, regions: Type.Array(Type.Object({})) }),
  timings: Type.Record(Type.String(), Type.Number()),
});

const check = <T>(schema: TSchema, value: T): T => {
  if (Value.Check(schema, value)) return value;
  throw new TypeError('The engine process sent a result of another form.');
};

/** Checks the header of an image from an engine process. @throws TypeError */
export const checkHeader = (value: ImageHeader): ImageHeader => check(Header, value);

/** Checks the result of an image from an engine process. @throws TypeError */
export const checkImageResult = (value: SentImageResult): SentImageResult => check(ImageResult, value);
