import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { OBJECT_CLASSES } from '#shared/catalogue/classes';
import { IMAGE_RESULT_FORMATS } from '#shared/catalogue/formats';
import { HIDING_METHODS } from '#shared/catalogue/methods';
import { boxArea, type Box } from '#shared/domain/boxes';
import { POLES, type Detection } from '#shared/domain/detection';
import { HDR_TRANSFERS } from '#shared/domain/hdr';
import { METADATA_KINDS, type FileFacts, type Provenance } from '#shared/domain/image-header';
import { LIMITS } from '#shared/domain/limits';
import type { PlannedRegion, Shape, VideoReport } from '#shared/domain/plan';
import { PROJECTIONS } from '#shared/domain/projection';
import type { Size } from '#shared/domain/raster';

/** Changes when plans of before can no longer be read: their files are then searched again. */
export const PLAN_VERSION = 1;

const CLOSED = { additionalProperties: false } as const;
/** A schema of exactly the fields of a type, so that a new field cannot be forgotten here. */
type FieldsOf<T> = { readonly [Name in keyof Required<T>]: TSchema };
type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const share = Type.Number({ minimum: 0, maximum: 1 });
const seconds = Type.Number({ minimum: 0 });
const text = Type.String({ maxLength: 200 });
const texts = Type.Array(text, { maxItems: 1_000 });
/** Farther from the image than any detector or margin goes. */
const coordinate = Type.Number({ minimum: -2 * LIMITS.maxSidePx, maximum: 3 * LIMITS.maxSidePx });
const point = Type.Tuple([coordinate, coordinate]);

const box = Type.Object(
  { x1: coordinate, y1: coordinate, x2: coordinate, y2: coordinate } satisfies FieldsOf<Omit<Box, 'frame'>>,
  CLOSED,
);

const shape = Type.Union([
  Type.Object({ kind: Type.Literal('box'), box }, CLOSED),
  Type.Object({ kind: Type.Literal('ellipse'), box }, CLOSED),
  Type.Object(
    { kind: Type.Literal('superellipse'), box, exponent: Type.Number({ minimum: 1, maximum: 100 }) },
    CLOSED,
  ),
  Type.Object(
    { kind: Type.Literal('quad'), corners: Type.Array(point, { minItems: 4, maxItems: 4 }) },
    CLOSED,
  ),
  Type.Object({ kind: Type.Literal('runs'), box, runs: Type.Array(count) }, CLOSED),
]);

const objectClass = Type.Enum([...OBJECT_CLASSES]);

const detection = Type.Object(
  {
    objectClass,
    score: share,
    box,
    corners: Type.Optional(Type.Tuple([point, point, point, point])),
    whole: Type.Optional(box),
    atPole: Type.Optional(Type.Object({ pole: Type.Enum([...POLES]), box }, CLOSED)),
    // Of tracks.
    trackId: Type.Optional(count),
    origin: Type.Optional(Type.Enum(['found', 'interpolated', 'carried'])),
  } satisfies FieldsOf<Omit<Detection, 'masks'>> & Record<'trackId' | 'origin', TSchema>,
  CLOSED,
);

const region = Type.Object(
  {
    id: count,
    detection,
    shape,
    featherPx: Type.Number({ minimum: 0, maximum: LIMITS.maxSidePx }),
    cellPx: Type.Number({ exclusiveMinimum: 0, maximum: 4 * LIMITS.maxSidePx }),
    method: Type.Optional(Type.Enum([...HIDING_METHODS])),
    trackId: Type.Optional(count),
  } satisfies FieldsOf<Omit<PlannedRegion, 'shown' | 'object'>>,
  CLOSED,
);

/** More than any detector finds in one image. */
const MAX_OBJECTS = 50_000;

const StoredFrame = Type.Object(
  {
    /** 0 for an image. */
    index: count,
    timestampUs: Type.Number(),
    durationS: seconds,
    regions: Type.Array(region, { maxItems: MAX_OBJECTS }),
    candidates: Type.Optional(Type.Array(detection, { maxItems: MAX_OBJECTS })),
    /** Of a frame: which of the areas of the request are hidden in it; absent: none. */
    areas: Type.Optional(Type.Array(count, { maxItems: LIMITS.maxHiddenAreas })),
  },
  CLOSED,
);
/** What is hidden in an image or in a frame, and its candidates: a line of the file. */
export type StoredFrame = Frozen<Static<typeof StoredFrame>>;

const facts = Type.Object(
  { sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }), sizeBytes: count } satisfies FieldsOf<FileFacts>,
  CLOSED,
);

const provenance = Type.Object(
  {
    version: text,
    source: facts,
    models: Type.Array(Type.Object({ id: text, sha256: text }, CLOSED), { maxItems: 100 }),
    sourceMetadata: Type.Optional(Type.Array(Type.Enum([...METADATA_KINDS]), { maxItems: 100 })),
    sourceTracks: Type.Optional(
      Type.Object({ video: count, audio: count, subtitles: count, data: count }, CLOSED),
    ),
    projection: Type.Optional(Type.Enum([...PROJECTIONS])),
  } satisfies FieldsOf<Provenance>,
  CLOSED,
);

const side = Type.Integer({ minimum: 1, maximum: LIMITS.maxSidePx });

const videoReport = Type.Object(
  {
    width: side,
    height: side,
    frameCount: Type.Integer({ minimum: 0, maximum: LIMITS.maxVideoFrames }),
    lostFrames: count,
    isLossUncertain: Type.Optional(Type.Boolean()),
    audioTracks: count,
    reencodedAudioTracks: count,
    droppedAudioTracks: count,
    droppedAudioCodecs: Type.Optional(texts),
    encodedAudio: Type.Optional(texts),
    unmutableAudio: Type.Optional(texts),
    unbleepableAudio: Type.Optional(texts),
    toneMapped: Type.Optional(Type.Enum([...HDR_TRANSFERS])),
    durationS: seconds,
  } satisfies FieldsOf<Omit<VideoReport, 'bag'>>,
  CLOSED,
);

const common = {
  plan: Type.Literal(PLAN_VERSION),
  /** Hash of the options of the run: see `Entry`. */
  options: text,
  provenance,
  /** Of the anonymised file before any edits; absent where the run applied some. */
  file: Type.Optional(facts),
  /** Of the detections that were given to the run. */
  given: Type.Optional(facts),
  createdAtMs: Type.Number(),
  startedAtMs: Type.Union([Type.Number(), Type.Null()]),
  finishedAtMs: Type.Union([Type.Number(), Type.Null()]),
};

const PlanHead = Type.Union([
  Type.Object(
    {
      ...common,
      kind: Type.Literal('image'),
      width: side,
      height: side,
      format: Type.Enum([...IMAGE_RESULT_FORMATS]),
      sparedMemory: Type.Optional(Type.Boolean()),
      keepMetadata: Type.Optional(Type.Boolean()),
      candidateFloor: share,
    },
    CLOSED,
  ),
  Type.Object(
    {
      ...common,
      kind: Type.Literal('video'),
      report: videoReport,
      kept: Type.Optional(
        Type.Object(
          { kinds: Type.Array(Type.Enum([...METADATA_KINDS]), { maxItems: 100 }), positions: count },
          CLOSED,
        ),
      ),
    },
    CLOSED,
  ),
]);
/** What a plan belongs to, and facts of its result: the first line of the file. Settings are those of the request. */
export type PlanHead = Frozen<Static<typeof PlanHead>>;

const HEAD = Compile(PlanHead);
const FRAME = Compile(StoredFrame);

export const isHead = (value: unknown): value is PlanHead => HEAD.Check(value);

/** Detections are stored as decimals. */
const TOLERANCE_PX = 1e-3;

const isOrdered = ({ x1, y1, x2, y2 }: Box): boolean => x1 <= x2 && y1 <= y2;

/** @param margin how far outside the image it may reach, as a multiple of the sides */
const isInside = (one: Box, { width, height }: Size, margin: number): boolean =>
  isOrdered(one) &&
  one.x1 >= -margin * width - TOLERANCE_PX &&
  one.y1 >= -margin * height - TOLERANCE_PX &&
  one.x2 <= (1 + margin) * width + TOLERANCE_PX &&
  one.y2 <= (1 + margin) * height + TOLERANCE_PX;

/** Margins and objects beyond an edge reach so far. */
const SHAPE_MARGIN = 1;

/** A mask has whole pixels, not more than the image; at the seam of a panorama it goes on beyond the edge. */
const isRunLength = ({ box: around, runs }: Extract<Shape, { readonly kind: 'runs' }>, size: Size): boolean =>
  isInside(around, size, SHAPE_MARGIN) &&
  Object.values(around).every(Number.isInteger) &&
  boxArea(around) <= size.width * size.height &&
  runs.length <= boxArea(around) + 1 &&
  runs.reduce((sum, run) => sum + run, 0) <= boxArea(around);

const isShapeInside = (one: Shape, size: Size): boolean => {
  if (one.kind === 'runs') return isRunLength(one, size);
  if (one.kind === 'quad') return true; // its corners have limits, and are cut at the image
  return isInside(one.box, size, SHAPE_MARGIN);
};

/** Whether a value is the plan of an image or frame of this size. */
export const isFrame = (value: unknown, size: Size): value is StoredFrame =>
  FRAME.Check(value) &&
  value.regions.every(
    (one, index) =>
      one.id === index && isInside(one.detection.box, size, 0) && isShapeInside(one.shape, size),
  ) &&
  (value.candidates ?? []).every((one) => isInside(one.box, size, SHAPE_MARGIN));
