import { readImageHeader } from '#shared/engine/formats/read-header';
import { describeBareModel } from '#shared/engine/packs/describe-own';
import type { Labels, Manifest } from '#shared/domain/manifest';
import { BadPack, withInstalledPack, withPacks, type Pack } from '#shared/engine/packs/packs';
import { LIMITS } from '#shared/domain/limits';
import type { Detection } from '#shared/domain/detection';
import { createEngine } from '#shared/engine/engine';
import { isDetected } from '#shared/domain/plan';
import { defaultImageOptions, type ImageOptions } from '#shared/domain/options';
import { UnreadableFile } from '#shared/domain/failure';
import type { EngineMethods, ImageJob } from '#shared/ports/engine';
import type { InferenceRuntime, ModelFiles } from '#shared/ports/inference';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { imageCodec } from '../adapters/image-codec';
import { log } from '../adapters/log';
import { createOwnModels } from '../adapters/own-models';
import { system } from '../adapters/system';
import {
  type InspectedModel,
  type Inspection,
  type ModelRefusal,
  inspectFiles,
  RefusedModel,
} from './inspect-models';

export type { InspectedModel, ModelFile, ModelReading, ModelRefusal } from './inspect-models';

/** How a model that came without a description is to be read. */
export interface ModelChoice {
  /** Which of its readings. */
  readonly reading: number;
  /** Object classes of the network's own classes. */
  readonly labels: Labels;
}

/** Detections of a model in an image. */
export interface ModelTrial {
  readonly objects: readonly Detection[];
  /** Of the upright image, px. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly backend: string;
}

export type TrialRefusal =
  | ModelRefusal
  | 'bad-picture'
  /** A default model, or one that was added, has the same name. */
  | 'same-name'
  | 'no-room';

export type InspectedModels = InspectedModel | { readonly refusal: ModelRefusal };
export type TriedModels = ModelTrial | { readonly refusal: TrialRefusal };
export type KeptModels = { readonly packId: string } | { readonly refusal: TrialRefusal };

export interface TrialPorts {
  readonly manifest: Manifest;
  readonly modelFiles: ModelFiles;
  readonly runtime: InferenceRuntime;
}

/** Functions of the trial worker. */
let inspection: Inspection | undefined;
/** As it was tried last, with the names of its files as described. */
let tried: { readonly pack: Pack; readonly bytes: ReadonlyMap<string, Uint8Array> } | undefined;
/** By its description: another choice is another engine. */
const engines = new Map<string, EngineMethods>();

export const inspectModels = async (
  files: readonly File[],
  { runtime }: TrialPorts,
): Promise<InspectedModels> => {
  try {
    inspection = await inspectFiles(files, runtime);
    return inspection.model;
  } catch (error) {
    if (error instanceof RefusedModel) return { refusal: error.reason };
    throw error;
  }
};

const packFor = (
  { model, bytes }: Inspection,
  { reading, labels }: ModelChoice,
): NonNullable<typeof tried> => {
  if (model.pack) return { pack: model.pack, bytes };
  const [file] = model.files;
  const chosen = model.readings[reading]?.reading;
  const content = file && bytes.get(file.name);
  if (!content || !chosen) throw new Error('this way to read the model does not exist');
  const pack = describeBareModel({ ...file, fileName: file.name }, chosen, labels);
  return { pack, bytes: new Map(pack.models.map((each) => [each.file, content])) };
};

const openEngine = (
  { pack, bytes }: NonNullable<typeof tried>,
  { manifest, modelFiles, runtime }: TrialPorts,
): EngineMethods => {
  const key = JSON.stringify(pack);
  const known = engines.get(key);
  if (known) return known;
  const engine = createEngine({
    codec: imageCodec,
    runtime,
    // Given away to the runtime, which may keep it.
    modelFiles: { read: async (file) => bytes.get(file)?.slice() ?? modelFiles.read(file) },
    manifest: withPacks(manifest, [pack]),
    system,
  });
  engines.set(key, engine);
  return engine;
};

/** Options with which all models of a pack run. */
const optionsFor = ({ models, presets: [qualityPreset] = [] }: Pack): ImageOptions =>
  defaultImageOptions({
    method: 'detect',
    classes: [...new Set(models.flatMap(({ classes }) => classes))],
    ...(qualityPreset && { qualityPreset }),
  });

const jobFor = async (bytes: Uint8Array, options: ImageOptions): Promise<ImageJob> => ({
  bytes,
  options,
  header: await readImageHeader(bytes, LIMITS),
  encoding: { format: 'jpeg', quality: 90 },
  masks: [],
});

const hasPlaces = (objects: readonly Detection[]): boolean =>
  objects.every(({ box }) => Object.values(box).every(Number.isFinite));

/** Detects the model's classes in an image, with the same steps as any image once the model is in use. */
export const tryModels = async (
  choice: ModelChoice,
  image: File,
  ports: TrialPorts,
): Promise<TriedModels> => {
  if (!inspection) throw new Error('a model is tested before it was read');
  tried = undefined;
  try {
    const candidate = packFor(inspection, choice);
    const engine = openEngine(candidate, ports);
    const options = optionsFor(candidate.pack);
    const { signal } = new AbortController(); // a test that takes too long ends with its worker
    const { backend } = await engine.load(options, () => undefined, signal);
    const started = system.elapsedMs();
    const { report, plan } = await engine.anonymiseImage(
      await jobFor(new Uint8Array(await image.arrayBuffer()), options),
      () => undefined,
      signal,
    );
    const objects = report.detections.filter(isDetected);
    if (!hasPlaces(objects)) return { refusal: 'does-not-run' };
    tried = candidate;
    const { width, height } = plan;
    const seconds = (system.elapsedMs() - started) / 1000;
    return { objects, width, height, seconds, backend };
  } catch (cause) {
    log.error('A model could not be tested', cause);
    if (cause instanceof UnreadableFile) return { refusal: 'bad-picture' };
    if (cause instanceof BadPack) return { refusal: 'same-name' };
    return { refusal: 'does-not-run' };
  }
};

/** Stores the model that was tested last; the next worker uses it. */
export const keepModels = async ({ manifest }: TrialPorts): Promise<KeptModels> => {
  if (!tried) throw new Error('a model is stored before it was tested');
  const { pack, bytes } = tried;
  const own = createOwnModels(log);
  try {
    withPacks(manifest, withInstalledPack(await own.list(), pack));
    await own.keep(pack, bytes);
    return { packId: pack.id };
  } catch (cause) {
    log.error('A model could not be stored', cause);
    if (cause instanceof BadPack) return { refusal: 'same-name' };
    if (cause instanceof StorageUnavailable) return { refusal: 'no-room' };
    throw cause;
  }
};
