import type { Labels } from '#shared/domain/manifest';
import { withInputOf } from '#shared/engine/packs/name-input';
import { BadPack, PACK_LIMITS, parsePack, type Pack, type PackModel } from '#shared/engine/packs/packs';
import { BadOnnx } from '#shared/engine/packs/read-onnx';
import { recogniseFile, type HeadReading, type HeadRefusal } from '#shared/engine/packs/recognise-head';
import { COCO_LABELS, recogniseLabels } from '#shared/engine/packs/recognise-labels';
import type { InferenceRuntime } from '#shared/ports/inference';
import catalogue from '../../models/packs/catalogue.json';
import { DESCRIPTION, isArchive, MAX_DESCRIPTION_BYTES, readArchive } from '../../models/packs/read-archive';
import { log } from '../adapters/log';
import { system } from '../adapters/system';

/** Why a model is not taken; the page has a sentence for each. */
export type ModelRefusal =
  | HeadRefusal
  | BadOnnx['reason']
  /** Larger than a tab can load. */
  | 'too-large'
  /** Neither one model, nor an archive, nor a description with its models. */
  | 'not-together'
  | 'bad-archive'
  | 'bad-description'
  /** The description names a file that is not there, or there is another in its place. */
  | 'wrong-file'
  | 'does-not-run';

/** A file of a model, as it was given; anything may stand in its name. */
export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** One way to read a model that came without a description. */
export interface ModelReading {
  readonly reading: HeadReading;
  /** Object classes of the network's classes, as far as they are known; if empty, the user selects them. */
  readonly labels: Labels;
  /** What they are if they are COCO's, where the file does not say how many there are. */
  readonly cocoLabels?: Labels;
}

/** A model that was read and not tested yet. */
export interface InspectedModel {
  readonly files: readonly ModelFile[];
  /** Where somebody has described it; else there are readings. */
  readonly pack?: Pack;
  readonly readings: readonly ModelReading[];
  /** Of the network's own classes, where the file has them. A stranger wrote them. */
  readonly classNames: ReadonlyMap<number, string>;
}

export class RefusedModel extends Error {
  override readonly name = 'RefusedModel';

  constructor(
    readonly reason: ModelRefusal,
    options?: ErrorOptions,
  ) {
    super(`a model is refused: ${reason}`, options);
  }
}

/** The model that was read, with its bytes, which stay in this worker. */
export interface Inspection {
  readonly model: InspectedModel;
  /** By the names that the pack has for them, or by the given one. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
}

type NamedBytes = ReadonlyMap<string, Uint8Array>;

const factsOf = (files: NamedBytes): Promise<ModelFile[]> =>
  Promise.all(
    [...files].map(async ([name, bytes]) => ({
      name,
      bytes: bytes.length,
      sha256: await system.sha256(bytes),
    })),
  );

const parseDescription = (bytes: Uint8Array): Pack => {
  if (bytes.length > MAX_DESCRIPTION_BYTES) throw new RefusedModel('bad-description');
  try {
    return parsePack(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new RefusedModel('bad-description', { cause });
  }
};

/** The files of a pack, whatever they are called: their hashes say which is which. */
const matchFiles = async (pack: Pack, given: NamedBytes): Promise<Inspection> => {
  const files = await factsOf(given);
  const bytes = new Map<string, Uint8Array>();
  const models: PackModel[] = [];
  for (const model of pack.models) {
    const file = files.find(({ sha256 }) => sha256 === model.sha256);
    const found = file && given.get(file.name);
    if (!found || found.length !== model.bytes) throw new RefusedModel('wrong-file');
    bytes.set(model.file, found);
    models.push(withInputOf(model, found));
  }
  const listed = new Set(pack.models.map(({ sha256 }) => sha256));
  return {
    model: {
      files: files.filter(({ sha256 }) => listed.has(sha256)),
      pack: { ...pack, models },
      readings: [],
      classNames: new Map(),
    },
    bytes,
  };
};

const knownPack = (sha256: string): Pack | undefined =>
  catalogue.packs
    .map(parsePack)
    .find(({ models }) => models.length === 1 && models[0]?.sha256 === sha256 && !models[0].source.freesSize);

const inspectBare = async (given: NamedBytes, runtime: InferenceRuntime): Promise<Inspection> => {
  const [file] = await factsOf(given);
  const bytes = file && given.get(file.name);
  if (!bytes) throw new RefusedModel('not-together');
  const known = knownPack(file.sha256);
  if (known) return matchFiles(known, given);
  const { recognised, classNames } = await recogniseFile(bytes, () => runtime.createSession(bytes.slice()));
  if ('refusal' in recognised) throw new RefusedModel(recognised.refusal);
  const readings = recognised.readings.map((reading) => ({
    reading,
    labels: reading.classes ? {} : recogniseLabels(classNames, reading.classCount),
    ...(!reading.classes && reading.classCount === undefined && { cocoLabels: COCO_LABELS }),
  }));
  return { model: { files: [file], readings, classNames }, bytes: given };
};

const readFiles = async (files: readonly File[]): Promise<Map<string, Uint8Array>> => {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > PACK_LIMITS.bytesInPage) throw new RefusedModel('too-large');
  const read = new Map<string, Uint8Array>();
  for (const file of files) read.set(file.name, new Uint8Array(await file.arrayBuffer()));
  return read;
};

const unpack = (archive: Uint8Array): NamedBytes => {
  try {
    return readArchive(archive, PACK_LIMITS.bytesInPage);
  } catch (cause) {
    throw new RefusedModel('bad-archive', { cause });
  }
};

const isDescription = (name: string): boolean => name.toLowerCase().endsWith('.json');

const inspect = async (files: readonly File[], runtime: InferenceRuntime): Promise<Inspection> => {
  if (files.length === 0 || files.length > PACK_LIMITS.models + 1) throw new RefusedModel('not-together');
  const given = await readFiles(files);
  const [first, ...others] = [...given];
  if (!first) throw new RefusedModel('not-together');
  if (others.length === 0 && isArchive(first[1])) {
    const unpacked = new Map(unpack(first[1]));
    const description = unpacked.get(DESCRIPTION);
    if (!description) throw new RefusedModel('bad-archive');
    unpacked.delete(DESCRIPTION);
    return matchFiles(parseDescription(description), unpacked);
  }
  const descriptions = [...given].filter(([name]) => isDescription(name));
  for (const [name] of descriptions) given.delete(name);
  const [description, ...more] = descriptions;
  if (more.length > 0) throw new RefusedModel('not-together');
  if (description) return matchFiles(parseDescription(description[1]), given);
  if (given.size > 1) throw new RefusedModel('not-together');
  return inspectBare(given, runtime);
};

/**
 * Reads files that are said to be a model: a lone ONNX file, an archive (zip), or a description with its models.
 *
 * @throws {RefusedModel} for whatever is wrong with them
 */
export const inspectFiles = async (
  files: readonly File[],
  runtime: InferenceRuntime,
): Promise<Inspection> => {
  try {
    return await inspect(files, runtime);
  } catch (cause) {
    if (cause instanceof RefusedModel) throw cause;
    log.error('A model could not be read', cause);
    if (cause instanceof BadOnnx) throw new RefusedModel(cause.reason, { cause });
    if (cause instanceof BadPack) throw new RefusedModel('bad-description', { cause });
    throw new RefusedModel('does-not-run', { cause });
  }
};
