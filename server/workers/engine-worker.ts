import { workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { createEngine } from '#shared/pipeline/engine';
import { imageCodec } from '../adapters/image-codec';
import { createInferenceLanes } from '../adapters/inference-lanes';
import { createModelFiles, readManifest } from '../adapters/model-files';
import { system } from '../adapters/system';
import { yieldToOthers } from '../adapters/thread-priority';
import { videoCodec } from '../adapters/video-codec';
import { serveEngine } from './serve-engine';

/** What a pool tells each of its threads. */
export interface EngineWorkerData {
  readonly modelsFolder: string;
  /** Cores that one picture may use. */
  readonly threads: number;
}

const { modelsFolder, threads } = workerData as EngineWorkerData;
yieldToOthers(); // first: threads that are started take it over
sharp.concurrency(threads);

/** A thread without its models is of no use: the pool replaces it by a new one. */
const endThread = (reason: unknown): void => {
  setImmediate(() => {
    throw reason;
  });
};

export const { load, anonymiseImage, anonymiseVideo, renderImage, renderMask } = serveEngine(async () =>
  createEngine({
    codec: imageCodec,
    videoCodec,
    runtime: createInferenceLanes({
      workerFile: new URL('./inference-worker.js', import.meta.url),
      threads,
      onEnd: endThread,
    }),
    modelFiles: createModelFiles(modelsFolder),
    manifest: await readManifest(modelsFolder),
    system,
  }),
);
