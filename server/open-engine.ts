import { join } from 'node:path';
import { createPoolEngine, type PoolEngine } from './adapters/engine';
import type { Ffmpeg } from './adapters/find-ffmpeg';
import { threadsPerWorker } from './config';

/**
 * The engine that server and batch mode work with.
 *
 * @param packageRoot the folder that holds `dist` and `models`
 * @param ffmpeg converts videos that are not read otherwise
 */
export const openEngine = (packageRoot: string, workers: number, ffmpeg?: Ffmpeg): PoolEngine =>
  createPoolEngine({
    workerFile: join(packageRoot, 'dist/server/workers/engine-worker.js'),
    workers,
    workerData: { modelsFolder: join(packageRoot, 'models'), threads: threadsPerWorker(workers), ffmpeg },
  });
