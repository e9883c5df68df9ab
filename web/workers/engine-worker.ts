import type { BagContents } from '#shared/domain/bag';
import { createEngine } from '#shared/engine/engine';
import { openDirectly } from '#shared/engine/video/video-source';
import type { EngineMethods } from '#shared/ports/engine';
import type { InferenceRuntime } from '#shared/ports/inference';
import type { VideoCodec } from '#shared/ports/video';
import { serve, type Port } from '#shared/threads/remote';
import { holdLock } from '../adapters/hold-lock';
import { imageCodec } from '../adapters/image-codec';
import { createInferenceRuntime } from '../adapters/inference';
import { log } from '../adapters/log';
import { createModelFiles, fetchManifest } from '../adapters/model-files';
import { openOwnFolder } from '../adapters/disk-folder';
import type { UsedModels } from '../adapters/own-models';
import { basicSystem } from '../adapters/basic-system';
import type { listBag } from './list-bag';
import type { SoundPeaks } from './sound-peaks';
import type { InspectedModels, KeptModels, ModelChoice, TrialPorts, TriedModels } from './model-trial';

/** The worker's own file lies one folder below the page, in development and when built. */
const MODEL_FOLDER = new URL('../models/', self.location.href).href;

/** How a worker is to run. */
export interface WorkerSettings {
  /** Because it went away before. */
  readonly avoidsGpu: boolean;
  /** Because they took the worker before down. */
  readonly avoidsOwnModels: boolean;
}

/** Result of `load`. */
export interface Loaded {
  readonly backend: string;
  /** Those of the user's own packs that are in use, by name. */
  readonly ownPacks: readonly string[];
  /** Those that are not, though they should. */
  readonly leftOut: readonly string[];
}

interface Started extends Omit<Loaded, 'backend'> {
  readonly engine: EngineMethods;
}

let settings: WorkerSettings = { avoidsGpu: false, avoidsOwnModels: false };

const openModels = async (): Promise<UsedModels> => {
  const manifest = await fetchManifest(MODEL_FOLDER);
  const defaults = { manifest, modelFiles: createModelFiles(MODEL_FOLDER, manifest) };
  if (!(await openOwnFolder())) return { ...defaults, ownPacks: [], leftOut: [] };
  // The code that reads descriptions is loaded only if there are any.
  const { withOwnModels } = await import('../adapters/own-models');
  return withOwnModels(defaults, log, settings.avoidsOwnModels);
};

let onGpuLost: (detail: string) => void;
const gpuLoss = new Promise<string>((resolve) => (onGpuLost = resolve));

const openRuntime = (): Promise<InferenceRuntime> =>
  createInferenceRuntime(log, { avoidsGpu: settings.avoidsGpu, onGpuLost });

/** Loaded with the first video. */
const openVideoCodec = async (): Promise<VideoCodec> => {
  const [{ withConversion }, { createVideoConverter }, { videoCodec }] = await Promise.all([
    import('#shared/engine/video/convert-video'),
    import('../adapters/video-converter'),
    import('../adapters/video-codec'),
  ]);
  return withConversion(videoCodec, createVideoConverter(log));
};
const videoCodec: VideoCodec = {
  open: async (...args) => (await openVideoCodec()).open(...args),
  openDirectly: async (...args) => openDirectly(await openVideoCodec(), ...args),
};

/** Loaded with the first bag. */
const loadBagCodec = () => import('../adapters/bag-codec');

const start = async (): Promise<Started> => {
  const [{ manifest, modelFiles, ownPacks, leftOut }, runtime] = await Promise.all([
    openModels(),
    openRuntime(),
  ]);
  const engine = createEngine({
    codec: imageCodec,
    videoCodec,
    bagCodec: { open: async (...bag) => (await (await loadBagCodec()).openBagCodec()).open(...bag) },
    runtime,
    modelFiles,
    manifest,
    system: basicSystem,
  });
  return { engine, ownPacks, leftOut };
};

let starting: Promise<Started> | undefined;
/** Started once; a failed start is forgotten, so that the next call tries again. */
const started = (): Promise<Started> => {
  const current = (starting ??= start());
  current.catch(() => {
    if (starting === current) starting = undefined;
  });
  return current;
};
const engine = async (): Promise<EngineMethods> => (await started()).engine;

/** Starts again, with the default models only or with all. */
const avoidOwnModels = (avoidsOwnModels: boolean): void => {
  settings = { ...settings, avoidsOwnModels };
  starting = undefined;
};

const load = async (...args: Parameters<EngineMethods['load']>): Promise<Loaded> => {
  const { engine: opened, ...models } = await started();
  return { ...(await opened.load(...args)), ...models };
};

/** A model of the user's that cannot be loaded must not take the page with it. */
const loadInAnyCase: typeof load = async (...args) => {
  try {
    return await load(...args);
  } catch (cause) {
    const { ownPacks } = await started();
    if (ownPacks.length === 0) throw cause;
    log.error('Loading failed with the added models; they are not used', cause);
    avoidOwnModels(true);
    return load(...args).catch((again: unknown) => {
      avoidOwnModels(false);
      throw again;
    });
  }
};

/** Without the user's own models: what is tried is tried next to the default ones. */
const openForTrial = async (): Promise<TrialPorts> => {
  const manifest = await fetchManifest(MODEL_FOLDER);
  return { manifest, modelFiles: createModelFiles(MODEL_FOLDER, manifest), runtime: await openRuntime() };
};
let openingForTrial: Promise<TrialPorts> | undefined;
const trialPorts = (): Promise<TrialPorts> => (openingForTrial ??= openForTrial());

/** What the page calls next to the engine. */
const ownMethods = {
  /** The first call. @param lockName held as long as the worker lives */
  begin: async (how: WorkerSettings, lockName?: string): Promise<void> => {
    settings = how;
    if (lockName !== undefined) await holdLock(lockName);
  },

  /** Resolves when the GPU is lost, and its sessions with it: the page replaces this worker. */
  gpuLoss: () => gpuLoss,

  load: loadInAnyCase,

  /** A JPEG of an image that browsers cannot show, or show turned; undefined where the file itself can be shown. */
  preview: async (file: Blob): Promise<Blob | undefined> => (await import('./preview')).makePreview(file),

  /** The sound of a video, to draw its waveform; in a separate worker. */
  soundPeaks: async (file: Blob, onPart: (sound: SoundPeaks) => void): Promise<SoundPeaks> =>
    (await import('./sound-peaks')).readPeaks(file, onPart),

  /** What is in a bag; in a separate worker. */
  listBag: async (...args: Parameters<typeof listBag>): Promise<BagContents> =>
    (await import('./list-bag')).listBag(...args),

  /** Inspects files that may be a model, in a separate worker. */
  inspectModels: async (files: readonly File[]): Promise<InspectedModels> =>
    (await import('./model-trial')).inspectModels(files, await trialPorts()),

  tryModels: async (choice: ModelChoice, image: File): Promise<TriedModels> =>
    (await import('./model-trial')).tryModels(choice, image, await trialPorts()),

  keepModels: async (): Promise<KeptModels> => (await import('./model-trial')).keepModels(await trialPorts()),
};
export type EngineWorker = typeof ownMethods & Omit<EngineMethods, 'load'>;

serve(self as unknown as Port, (method) => (Object.hasOwn(ownMethods, method) ? ownMethods : engine()), true);
