import { expose, transfer } from 'comlink';
import { withConversion } from '#shared/engine/video/convert-video';
import { createEngine } from '#shared/engine/engine';
import type { Shape } from '#shared/domain/plan';
import type {
  Engine,
  ImageJob,
  ImageResult,
  Progress,
  RenderJob,
  RenderResult,
  VideoJob,
  VideoProgress,
  VideoResult,
} from '#shared/ports/engine';
import { holdLock } from '../adapters/hold-lock';
import { imageCodec } from '../adapters/image-codec';
import { createInferenceRuntime } from '../adapters/inference';
import { log } from '../adapters/log';
import { createModelFiles, fetchManifest } from '../adapters/model-files';
import { openOwnFolder } from '../adapters/own-folder';
import type { UsedModels } from '../adapters/own-model-files';
import { system } from '../adapters/system';
import { videoCodec } from '../adapters/video-codec';
import { createVideoConverter } from '../adapters/video-converter';
import type { InspectedModels, KeptModels, ModelChoice, TrialPorts, TriedModels } from './model-trial';
import { filesOf, type FilesTicket } from './video-files';

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
  readonly engine: Engine;
}

let settings: WorkerSettings = { avoidsGpu: false, avoidsOwnModels: false };

const openModels = async (): Promise<UsedModels> => {
  const manifest = await fetchManifest(MODEL_FOLDER);
  const defaults = { manifest, modelFiles: createModelFiles(MODEL_FOLDER, manifest) };
  if (!(await openOwnFolder())) return { ...defaults, ownPacks: [], leftOut: [] };
  // The code that reads descriptions is loaded only if there are any.
  const { withOwnModels } = await import('../adapters/own-model-files');
  return withOwnModels(defaults, log, settings.avoidsOwnModels);
};

const start = async (): Promise<Started> => {
  const [{ manifest, modelFiles, ownPacks, leftOut }, runtime] = await Promise.all([
    openModels(),
    createInferenceRuntime(log, settings.avoidsGpu),
  ]);
  const engine = createEngine({
    codec: imageCodec,
    videoCodec: withConversion(videoCodec, createVideoConverter(log)),
    runtime,
    modelFiles,
    manifest,
    system,
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
const engine = async (): Promise<Engine> => (await started()).engine;

/** Starts again, with the default models only or with all. */
const avoidOwnModels = (avoidsOwnModels: boolean): void => {
  settings = { ...settings, avoidsOwnModels };
  starting = undefined;
};

const load = async (...args: Parameters<Engine['load']>): Promise<Loaded> => {
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

const moved = (bytes: Uint8Array): Uint8Array => transfer(bytes, [bytes.buffer as ArrayBuffer]);

/** Without the user's own models: what is tried is tried beside the default ones. */
const openForTrial = async (): Promise<TrialPorts> => {
  const manifest = await fetchManifest(MODEL_FOLDER);
  const runtime = await createInferenceRuntime(log, settings.avoidsGpu);
  return { manifest, modelFiles: createModelFiles(MODEL_FOLDER, manifest), runtime };
};
let openingForTrial: Promise<TrialPorts> | undefined;
const trialPorts = (): Promise<TrialPorts> => (openingForTrial ??= openForTrial());

const buffersOf = ({ anonymised, masks }: ImageResult): Transferable[] =>
  [anonymised, ...Object.values(masks)].flatMap((bytes) => (bytes ? [bytes.buffer as ArrayBuffer] : []));

const running = new Map<number, AbortController>();

/** Runs a job so that `abort` reaches it. */
const abortable = async <T>(
  id: number,
  work: (engine: Engine, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    return await work(await engine(), controller.signal);
  } finally {
    running.delete(id);
  }
};

/** The engine without parameters that cannot be sent to a worker: an abort is a separate message. */
const engineWorker = {
  /** The first call. @param lockName held as long as the worker lives */
  begin: async (how: WorkerSettings, lockName?: string): Promise<void> => {
    settings = how;
    if (lockName !== undefined) await holdLock(lockName);
  },

  load: loadInAnyCase,

  anonymiseImage: (id: number, job: ImageJob, onProgress: Progress): Promise<ImageResult> =>
    abortable(id, async (opened, signal) => {
      const result = await opened.anonymiseImage(job, onProgress, signal);
      return transfer(result, buffersOf(result));
    }),

  anonymiseVideo: (
    id: number,
    job: VideoJob,
    files: FilesTicket,
    onProgress: (progress: VideoProgress) => void,
  ): Promise<VideoResult> =>
    abortable(id, async (opened, signal) => {
      if (!opened.anonymiseVideo) throw new Error('a video was sent to an engine without video support');
      try {
        return await opened.anonymiseVideo(job, filesOf(files), onProgress, signal);
      } finally {
        files.port.close();
      }
    }),

  renderVideo: (
    id: number,
    job: RenderJob,
    files: FilesTicket,
    onProgress: (progress: VideoProgress) => void,
  ): Promise<RenderResult> =>
    abortable(id, async (opened, signal) => {
      if (!opened.renderVideo) throw new Error('a video was sent to an engine without video support');
      try {
        return await opened.renderVideo(job, filesOf(files), onProgress, signal);
      } finally {
        files.port.close();
      }
    }),

  abort: (id: number): void => running.get(id)?.abort(),

  outlineObjects: async (
    ...args: Parameters<NonNullable<Engine['outlineObjects']>>
  ): Promise<readonly (Shape | null)[]> => {
    const opened = await engine();
    return opened.outlineObjects ? opened.outlineObjects(...args) : args[1].map(() => null);
  },

  renderImage: async (...args: Parameters<Engine['renderImage']>): Promise<Uint8Array> =>
    moved(await (await engine()).renderImage(...args)),

  renderMask: async (...args: Parameters<Engine['renderMask']>): Promise<Uint8Array> =>
    moved(await (await engine()).renderMask(...args)),

  /** Inspects files that may be a model, in a separate worker. */
  inspectModels: async (files: readonly File[]): Promise<InspectedModels> =>
    (await import('./model-trial')).inspectModels(files, await trialPorts()),

  tryModels: async (choice: ModelChoice, picture: File): Promise<TriedModels> =>
    (await import('./model-trial')).tryModels(choice, picture, await trialPorts()),

  keepModels: async (): Promise<KeptModels> => (await import('./model-trial')).keepModels(await trialPorts()),
};
export type EngineWorker = typeof engineWorker;

expose(engineWorker);
