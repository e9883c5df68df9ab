import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { SentError } from '#shared/threads/sent-error';
import { REPORTED_CLASSES } from '#shared/catalogue/classes';
import { IMAGE_SOURCE_FORMATS } from '#shared/catalogue/formats';
import { METADATA_KINDS, type ImageHeader } from '#shared/domain/image-header';
import { PROJECTIONS } from '#shared/domain/projection';
import { DEFAULT_ENCODINGS } from '#shared/tasks/base/settings';
import type { SentImageResult } from './served-process';

/** Answers a call of the other side. */
export type Reply =
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: SentError };

/** All that a host sends. */
export type FromHost =
  | Reply
  | {
      readonly type: 'call';
      /** Unique among the sender's calls; answers and `abort` repeat it. */
      readonly id: number;
      readonly method: string;
      readonly data: readonly unknown[];
      /** Of the functions among the arguments, which the engine may call until the host's call is over. */
      readonly places: readonly string[];
      readonly hasSignal: boolean;
    }
  | { readonly type: 'abort'; readonly id: number };

/** All that an engine process sends: answers, and calls of functions among the arguments of the host's call `of`. */
export type FromEngine =
  | Reply
  | {
      readonly type: 'call';
      readonly id: number;
      readonly of: number;
      readonly place: string;
      readonly args: readonly unknown[];
    };

const Id = Type.Integer({ minimum: 1 });
const Text = Type.String({ maxLength: 100_000 });
const Fault = Type.Object({
  kind: Type.Literal('fault'),
  name: Text,
  message: Text,
  stack: Type.Union([Text, Type.Undefined()]),
  code: Type.Optional(Text),
  syscall: Type.Optional(Text),
});
const Unreadable = Type.Object({
  kind: Type.Literal('failure'),
  failure: Type.Object({
    kind: Type.Union([Type.Literal('bad-file'), Type.Literal('out-of-memory')]),
    sentence: Text,
  }),
  isUnreadable: Type.Literal(true),
});

const FROM_ENGINE = Type.Union([
  Type.Object({ type: Type.Literal('result'), id: Id, value: Type.Unknown() }),
  Type.Object({ type: Type.Literal('failure'), id: Id, error: Type.Union([Unreadable, Fault]) }),
  Type.Object({
    type: Type.Literal('call'),
    id: Id,
    of: Id,
    /** Progress, and the files of an image or video. */
    place: Type.String({
      pattern: '^[0-9]([.]((source[.])?read|(target[.])?write|report|plans|given[.]source[.]read))?$',
    }),
    args: Type.Array(Type.Unknown(), { maxItems: 3 }),
  }),
]);

/**
 * Checks a message of an engine process, which strangers' files may have taken over.
 *
 * @throws TypeError for a message that no engine process of this product sends
 */
export const checkMessage = (message: unknown): FromEngine => {
  if (!Value.Check(FROM_ENGINE, message)) throw new TypeError('The engine process sent an unknown message.');
  return message as FromEngine;
};

const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const Px = Type.Integer({ minimum: 0 });
const Box = Type.Object({ x1: Type.Number(), y1: Type.Number(), x2: Type.Number(), y2: Type.Number() });

const Colour = Type.Union([
  Type.Object({ primaries: Px, transfer: Px }),
  Type.Object({ gamma: Px, chromaticities: Type.Optional(Type.Array(Px, { minItems: 8, maxItems: 8 })) }),
]);

const Ranges = Type.Array(Type.Tuple([Px, Px]));

const Header = Type.Object({
  format: oneOf(IMAGE_SOURCE_FORMATS),
  width: Px,
  height: Px,
  orientation: Type.Integer({ minimum: 1, maximum: 8 }),
  hasAlpha: Type.Boolean(),
  colour: Type.Optional(Colour),
  exif: Type.Optional(Ranges),
  xmp: Type.Optional(Ranges),
  projection: Type.Optional(oneOf(PROJECTIONS)),
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
        objectClass: oneOf(REPORTED_CLASSES),
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
