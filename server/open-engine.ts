import { join } from 'node:path';
import { createPoolEngine, type PoolEngine } from './adapters/engine';
import { threadsPerWorker } from './config';

/** The engine that server and batch mode work with. @param packageRoot the folder that holds `dist` and `models` */
export const openEngine = (packageRoot: string, workers: number): PoolEngine =>
  createPoolEngine({
    workerFile: join(packageRoot, 'dist/server/workers/engine-worker.js'),
    workers,
    workerData: { modelsFolder: join(packageRoot, 'models'), threads: threadsPerWorker(workers) },
  });
