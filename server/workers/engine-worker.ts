import { workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { createEngine } from '#shared/pipeline/engine';
import { imageCodec } from '../adapters/image-codec';
import { createInferenceRuntime } from '../adapters/inference';
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

export const { load, anonymiseImage, anonymiseVideo, renderImage, renderMask } = serveEngine(async () =>
  createEngine({
    codec: imageCodec,
    videoCodec,
    runtime: createInferenceRuntime(threads),
    modelFiles: createModelFiles(modelsFolder),
    manifest: await readManifest(modelsFolder),
    system,
  }),
);
