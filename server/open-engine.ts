import { join } from 'node:path';
import { BadPack } from '#shared/engine/packs/packs';
import { createPoolEngine, type PoolEngine, type PoolOptions } from './adapters/engine';
import type { Ffmpeg } from './adapters/find-ffmpeg';
import { readManifest } from './adapters/model-files';
import { findVideoMeans } from './adapters/video-means';
import { threadsPerWorker, type EngineConfig } from './cli/config';
import { StartProblem } from './cli/start-problem';

/** @throws StartProblem if installed packs cannot be used. Otherwise each worker thread would fail at its start. */
const checkPacks = async (modelsFolder: string, packsFolder: string): Promise<void> => {
  try {
    await readManifest(modelsFolder, packsFolder);
  } catch (cause) {
    if (!(cause instanceof BadPack)) throw cause;
    throw new StartProblem(
      `The model packs in ${packsFolder} cannot be used (${cause.message}) Remove this folder, or choose another with --packs.`,
      { cause },
    );
  }
};

type EngineSettings = Pick<EngineConfig, 'workers' | 'packsFolder' | 'logLevel' | 'logFormat'> &
  Pick<PoolOptions, 'startsLate'> & {
    /** Execution provider of onnxruntime; by default the processor. */
    readonly device?: string;
  };

/**
 * Creates the engine of the server and of batch mode.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @param ffmpeg converts other video formats; without the package `@napi-rs/webcodecs` it also decodes and encodes
 * @throws StartProblem
 */
export const openEngine = async (
  packageRoot: string,
  { workers, packsFolder, logLevel, logFormat, startsLate = false, device = 'cpu' }: EngineSettings,
  ffmpeg?: Ffmpeg,
): Promise<PoolEngine> => {
  const modelsFolder = join(packageRoot, 'models');
  const packs = packsFolder ?? join(modelsFolder, 'installed');
  await checkPacks(modelsFolder, packs);
  const video = await findVideoMeans(ffmpeg);
  return createPoolEngine({
    workerFile: join(packageRoot, 'dist/server/workers/engine-worker.js'),
    workers,
    startsLate,
    workerData: {
      device,
      modelsFolder,
      packsFolder: packs,
      threads: threadsPerWorker(workers),
      video,
      ffmpeg,
      log: { logLevel, logFormat },
    },
  });
};
