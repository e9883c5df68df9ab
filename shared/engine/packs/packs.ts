import { Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { OBJECT_CLASSES, perClass, type ObjectClass } from '../../catalogue/classes';
import { QUALITY_PRESETS, type QualityPreset } from '../../domain/options';
import { HEAD_NAMES, missingIn, type Manifest, type ModelEntry } from '../../domain/manifest';

/** Models that a user installs in addition to the default set; they replace it for the classes they detect. */
export interface Pack {
  readonly id: string;
  /** One line for users: what the pack improves, and its costs. */
  readonly description: string;
  readonly models: readonly PackModel[];
  /** Quality presets that use its models; absent: all. */
  readonly presets?: readonly QualityPreset[];
  /** Nobody of the project has run its files: what the description says is from their publisher. */
  readonly isUntested?: true;
}

export interface PackModel extends ModelEntry {
  readonly source: {
    readonly url?: string;
    /**
     * The file states a fixed input size although the network takes any: the installation changes the file to an open
     * size.
     */
    readonly freesSize?: boolean;
    /** The publisher states no length: `bytes` is an upper bound, and the installation writes the length of the file. */
    readonly isLengthUnknown?: boolean;
  };
}

/** Limits of a pack: its description is an untrusted file. */
export const PACK_LIMITS = {
  models: 8,
  bytesPerModel: 1024 ** 3,
  /** While a tab loads a model, it holds two copies of it in memory. */
  bytesInPage: 512 * 1024 ** 2,
  sidePx: 4096,
  scales: 6,
  outputs: 32,
  labels: 1000,
} as const;

const literals = <const T extends string>(values: readonly T[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));
const closed = { additionalProperties: false };

const ObjectClassName = literals(OBJECT_CLASSES);
const Side = Type.Integer({ minimum: 1, maximum: PACK_LIMITS.sidePx });
const GraphName = Type.String({ minLength: 1, maxLength: 200 });
const Level = Type.Number({ minimum: 0, maximum: 255 });
const Levels = Type.Tuple([Level, Level, Level]);
const Spread = Type.Number({ minimum: 1e-3, maximum: 1e3 });
const Spreads = Type.Tuple([Spread, Spread, Spread]);
const Threshold = Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }));
const Factor = Type.Number({ minimum: 0.1, maximum: 8 });
const LongSides = Type.Array(Side, { minItems: 1, maxItems: PACK_LIMITS.scales });

const Input = Type.Object(
  {
    name: GraphName,
    mean: Levels,
    std: Spreads,
    channels: Type.Optional(literals(['rgb', 'bgr'])),
    padding: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    size: Type.Optional(Type.Tuple([Side, Side])),
    isStretched: Type.Optional(Type.Boolean()),
    multipleOf: Type.Optional(Side),
    longSides: Type.Optional(LongSides),
    maxEnlargement: Type.Optional(Factor),
    prompts: Type.Optional(Type.Object({ points: GraphName, labels: GraphName }, closed)),
  },
  closed,
);

const Score = Type.Number({ minimum: 0, maximum: 1 });
const Angle = Type.Number({ minimum: 0, maximum: 90 });
const PlateScores = Type.Object(
  {
    proposed: Score,
    scanned: Score,
    onVehicle: Score,
    small: Type.Optional(Type.Object({ belowPx: Type.Number({ minimum: 0 }), onVehicle: Score }, closed)),
    large: Type.Optional(Type.Object({ fromShare: Score, score: Score }, closed)),
  },
  closed,
);
const Plates = Type.Object(
  {
    window: Type.Object(
      {
        widthPx: Side,
        heightPx: Side,
        stepPx: Side,
        enlargement: Factor,
        otherWidths: Type.Array(Factor, { minItems: 1, maxItems: PACK_LIMITS.scales }),
      },
      closed,
    ),
    minScores: Type.Object({ proposed: Score, scanned: Score, rescored: Score }, closed),
    turned: Type.Optional(
      Type.Object(
        {
          degrees: Angle,
          minTilt: Angle,
          from: Score,
          below: Score,
          minScore: Score,
        },
        closed,
      ),
    ),
    plateScores: Type.Object({ images: PlateScores, frames: PlateScores }, closed),
    fullScan: Type.Object(
      {
        longSides: Type.Object({ always: LongSides, 'without-plates': LongSides }, closed),
        maxEnlargement: Factor,
      },
      closed,
    ),
    textLongSides: LongSides,
  },
  closed,
);

/** Written out because `Type.Record` brings TypeBox's whole type engine along, 40 kB of code for the page. */
const Labels = Type.Unsafe<Record<string, ObjectClass>>({
  type: 'object',
  patternProperties: { '^\\d{1,4}$': ObjectClassName },
  maxProperties: PACK_LIMITS.labels,
  ...closed,
});

const Model = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
    file: Type.String({ pattern: '^[\\w-][\\w.-]{0,99}\\.onnx$' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    bytes: Type.Integer({ minimum: 1, maximum: PACK_LIMITS.bytesPerModel }),
    licence: Type.String({ minLength: 1, maxLength: 500 }),
    source: Type.Object(
      {
        url: Type.Optional(Type.String({ maxLength: 2000 })),
        freesSize: Type.Optional(Type.Boolean()),
        isLengthUnknown: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
    head: literals(HEAD_NAMES),
    classes: Type.Array(ObjectClassName, { minItems: 1, uniqueItems: true }),
    labels: Type.Optional(Labels),
    input: Input,
    outputs: Type.Array(GraphName, { minItems: 1, maxItems: PACK_LIMITS.outputs }),
    thresholds: Type.Object(
      perClass(() => Threshold),
      closed,
    ),
    plates: Type.Optional(Plates),
  },
  closed,
);

const PackSchema = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
    description: Type.String({ maxLength: 500 }),
    models: Type.Array(Model, { minItems: 1, maxItems: PACK_LIMITS.models }),
    presets: Type.Optional(Type.Array(literals(QUALITY_PRESETS), { minItems: 1, uniqueItems: true })),
    isUntested: Type.Optional(Type.Literal(true)),
  },
  closed,
);

/** An invalid pack description; the message is shown to the user. */
export class BadPack extends Error {
  override readonly name = 'BadPack';
}

/** @throws {BadPack} if the value does not match the schema; the message names the first error */
const readPack = (value: unknown): Pack => {
  if (!Check(PackSchema, value)) {
    const [, [first]] = Errors(PackSchema, value);
    const place = first?.instancePath ? ` at ${first.instancePath.slice(0, 100)}` : '';
    throw new BadPack(`This is no description of a pack of models: it is wrong${place}.`);
  }
  const pack = value as Pack;
  if (new Set(pack.models.map(({ id }) => id)).size < pack.models.length) {
    throw new BadPack(`The pack ${pack.id} names a model twice.`);
  }
  return pack;
};

/** @throws {BadPack} if the value is no pack description, or a threshold is missing */
export const parsePack = (value: unknown): Pack => {
  const pack = readPack(value);
  for (const model of pack.models) {
    const problem = missingIn(model);
    if (problem !== undefined) throw new BadPack(problem);
  }
  return pack;
};

/** Parses the list of installed packs, a file next to the installed models. */
export const parseInstalled = (value: unknown): readonly Pack[] => {
  const { packs } = (value ?? {}) as { readonly packs?: unknown };
  if (!Array.isArray(packs)) throw new BadPack('The list of installed packs is damaged.');
  return packs.map(parsePack);
};

/**
 * The same model with a file name from its hash. A new version is therefore a second file until the list names it, and
 * list and files match at every moment.
 */
export const installedModel = (model: PackModel): PackModel => ({
  ...model,
  file: `${model.id}-${model.sha256.slice(0, 12)}.onnx`,
});

/**
 * The installed packs after one is added: it becomes the first, and replaces a pack of the same id.
 *
 * If several packs detect a class the first is used, so on every host the newest one is.
 */
export const withInstalledPack = (installed: readonly Pack[], pack: Pack): readonly Pack[] => [
  pack,
  ...installed.filter(({ id }) => id !== pack.id),
];

/**
 * A manifest of all models: those of packs first, in the packs' order, so that they are preferred where a class has
 * several for the quality preset.
 *
 * @throws {BadPack} if two models have the same id or file name
 */
export const withPacks = (manifest: Manifest, packs: readonly Pack[]): Manifest => {
  const ofPacks = packs.flatMap(({ models, presets }): readonly ModelEntry[] =>
    presets ? models.map((model) => ({ ...model, presets })) : models,
  );
  const models = [...ofPacks, ...manifest.models];
  for (const key of ['id', 'file'] as const) {
    const seen = new Set<string>();
    for (const model of models) {
      if (seen.has(model[key])) throw new BadPack(`Two models are named ${model[key]}.`);
      seen.add(model[key]);
    }
  }
  return { models };
};
