import { join, resolve } from 'node:path';
import { BadPack } from '#shared/engine/packs/packs';
import type { Engine } from '#shared/ports/host-engine';
import type { Log } from '#shared/ports/system';
import type { Ffmpeg } from './adapters/find-ffmpeg';
import { readManifest } from './adapters/model-files';
import { threadsPerWorker, type EngineConfig } from './cli/config';
import { StartProblem } from './cli/start-problem';
import { createEngineProcess, type EngineProcess } from './engine/engine-process';
import { findNetworkIsolation, spawnEngine, type EngineRole } from './engine/spawn-engine';
import { createProcessEngine } from './engine/process-engine';
import { createTaskProcesses } from './engine/task-processes';
import type { EngineProcessOptions } from './engine/served-process';

/** The folder of installed packs. @param modelsFolder contains the default models */
export const packsFolderOf = (packsFolder: string | undefined, modelsFolder: string): string =>
  resolve(packsFolder ?? join(modelsFolder, 'installed'));

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

type EngineSettings = Pick<EngineConfig, 'workers' | 'packsFolder' | 'logLevel' | 'logFormat'> & {
  /** Whether the processes serve an API only: threads start when they are needed. */
  readonly startsLate?: boolean;
};

/** An engine in processes of its own. */
export interface ProcessEngine extends Engine {
  /** Whether all its processes answer. */
  isAnswering(): boolean;
  /** Stops running work, then ends all processes. */
  close(): Promise<void>;
}

/**
 * Creates the engine of the server, of a worker and of batch mode, in processes of their own.
 *
 * One process works on tasks, and each running video has one of its own where several workers are allowed. Another inspects uploads and renders downloads, so that these wait for no task, and a
 * file that ends it at its inspection ends no task. An API without tasks has only the latter.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @param ffmpeg converts other video formats; without the package `@napi-rs/webcodecs` it also decodes and encodes
 * @throws StartProblem
 */
export const openEngine = async (
  packageRoot: string,
  { workers, packsFolder, logLevel, logFormat, startsLate = false }: EngineSettings,
  log: Log,
  ffmpeg?: Ffmpeg,
): Promise<ProcessEngine> => {
  const modelsFolder = resolve(packageRoot, 'models');
  const packs = packsFolderOf(packsFolder, modelsFolder);
  await checkPacks(modelsFolder, packs);
  const isolation = await findNetworkIsolation();
  if (isolation.length === 0) {
    log.info('The engine runs without a network namespace of its own, because this system permits none.');
  }
  const options: EngineProcessOptions = {
    ...{ modelsFolder, packsFolder: packs, ffmpeg, workers, startsLate },
    workerFile: resolve(packageRoot, 'dist/server/workers/engine-worker.js'),
    threads: threadsPerWorker(workers),
    log: { logLevel, logFormat },
  };
  const entry = resolve(packageRoot, 'dist/server/engine/engine-main.js');
  const open = (role: EngineRole, changes: Partial<EngineProcessOptions> = {}): EngineProcess =>
    createEngineProcess(
      { ...options, ...changes },
      { spawn: () => spawnEngine(entry, role, isolation), log },
    );
  const requests = open('requests', { workers: 1, startsLate: true });
  const tasks = startsLate ? requests : createTaskProcesses((changes) => open('tasks', changes), workers);
  const processes = [...new Set([requests, tasks])];
  const [support] = await Promise.all(processes.map((each) => each.start()));
  return Object.assign(createProcessEngine(tasks.call, requests.call, support!), {
    isAnswering: () => processes.every((each) => each.isAnswering()),
    close: async () => void (await Promise.all(processes.map((each) => each.close()))),
  });
};
