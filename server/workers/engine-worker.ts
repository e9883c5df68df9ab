import { workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { createEngine } from '#shared/engine/engine';
import type { BagCodec } from '#shared/ports/bag';
import type { Ffmpeg } from '../adapters/find-ffmpeg';
import { imageCodec } from '../adapters/image-codec';
import { createInferenceWorkers, type InferenceWorkers } from '../adapters/inference-workers';
import { createLog, type LogOptions } from '../adapters/log';
import { loadZstd } from '../adapters/bag-zstd';
import { createModelFiles, readManifest } from '../adapters/model-files';
import { system } from '../adapters/system';
import { yieldToOthers } from '../adapters/thread-priority';
import { createVideoCodec, holdWebCodecs, type VideoBackend } from '../adapters/video-backend';
import { collectLargeImages } from './collect-images';
import { createLeaseServer } from './serve-lease';

/** Start-up data of a worker thread. */
export interface EngineWorkerData {
  readonly modelsFolder: string;
  /** Where packs of models are installed. */
  readonly packsFolder: string;
  /** Cores that one image may use. */
  readonly threads: number;
  /** Decodes and encodes videos; undefined: nothing does. */
  readonly video: VideoBackend | undefined;
  /** Converts videos that are not read otherwise. */
  readonly ffmpeg: Ffmpeg | undefined;
  readonly log: LogOptions;
}

const { modelsFolder, packsFolder, threads, video, ffmpeg, log } = workerData as EngineWorkerData;
yieldToOthers(); // first: threads that are started take it over
sharp.concurrency(threads);

/** Loaded with the first bag: few runs have one. */
const loadBagCodec = async (): Promise<BagCodec> =>
  (await import('#shared/media/mcap/bag-codec')).createBagCodec({
    loadZstd,
    loadVideo: video === 'package' ? holdWebCodecs : undefined,
  });

/** A thread without its models is of no use: the pool replaces it by a new one. */
const endThread = (reason: unknown): void => {
  setImmediate(() => {
    throw reason;
  });
};

let workers: InferenceWorkers | undefined;

export default createLeaseServer(
  async () => {
    workers = createInferenceWorkers({
      workerFile: new URL('./inference-worker.js', import.meta.url),
      threads,
      onEnd: endThread,
    });
    return createEngine({
      codec: imageCodec,
      bagCodec: { open: async (...bag) => (await loadBagCodec()).open(...bag) },
      videoCodec: video && createVideoCodec(video, ffmpeg, threads, createLog(log)),
      runtime: workers,
      modelFiles: createModelFiles(modelsFolder, packsFolder),
      manifest: await readManifest(modelsFolder, packsFolder),
      system,
    });
  },
  async () => {
    await workers?.idle();
    collectLargeImages();
  },
);
