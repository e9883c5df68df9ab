import { expose, transfer } from 'comlink';
import { withConversion } from '#shared/pipeline/convert-video';
import { createEngine } from '#shared/pipeline/engine';
import type { Shape } from '#shared/pipeline/plan';
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
import { system } from '../adapters/system';
import { videoCodec } from '../adapters/video-codec';
import { createVideoConverter } from '../adapters/video-converter';
import { filesOf, type FilesTicket } from './video-files';

/** The worker's own file lies one folder below the page, in development and when built. */
const MODEL_FOLDER = new URL('../models/', self.location.href).href;

let avoidsGpu = false;

const start = async (): Promise<Engine> => {
  const [manifest, runtime] = await Promise.all([
    fetchManifest(MODEL_FOLDER),
    createInferenceRuntime(log, avoidsGpu),
  ]);
  const modelFiles = createModelFiles(MODEL_FOLDER, manifest);
  const converter = createVideoConverter(log);
  return createEngine({
    codec: imageCodec,
    videoCodec: withConversion(videoCodec, converter),
    runtime,
    modelFiles,
    manifest,
    system,
  });
};

let starting: Promise<Engine> | undefined;
/** Started once; a failed start is forgotten, so that the next call tries again. */
const engine = (): Promise<Engine> => {
  starting ??= start();
  starting.catch(() => (starting = undefined));
  return starting;
};

const moved = (bytes: Uint8Array): Uint8Array => transfer(bytes, [bytes.buffer as ArrayBuffer]);

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

/** The engine without what cannot cross a worker's border: an abort is a message of its own. */
const engineWorker = {
  /** The first call. @param lockName held as long as the worker lives */
  begin: async (how: { readonly avoidsGpu: boolean; readonly lockName?: string }): Promise<void> => {
    avoidsGpu = how.avoidsGpu;
    if (how.lockName !== undefined) await holdLock(how.lockName);
  },

  load: async (...args: Parameters<Engine['load']>): Promise<{ readonly backend: string }> =>
    (await engine()).load(...args),

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
      if (!opened.anonymiseVideo) throw new Error('a video was sent to an engine that reads none');
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
      if (!opened.renderVideo) throw new Error('a video was sent to an engine that reads none');
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
};
export type EngineWorker = typeof engineWorker;

expose(engineWorker);
