import { hostname } from 'node:os';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import type { Log } from '#shared/ports/system';
import { VERSION } from '#shared/domain/version';
import { accessOf } from '../adapters/access';
import { findFfmpeg } from '../adapters/find-ffmpeg';
import { requireDevice } from '../adapters/inference-devices';
import { createFolder } from '../adapters/storage';
import { system } from '../adapters/system';
import { timer } from '../adapters/timer';
import type { App } from '../app';
import type { WorkerConfig } from '../cli/cluster-config';
import { createProbeApp } from '../http/serve-probes';
import { createLifecycle } from '../lifecycle';
import { measuredEngine } from '../measured-engine';
import { openEngine } from '../open-engine';
import { INTERVALS, type Intervals } from './coordinate';
import { createClusterMetrics } from './cluster-metrics';
import { openServices } from './services';
import { startWorker } from './worker';

/** A process of the role `worker`. */
export interface WorkerProcess {
  /** Health and metrics; no API. */
  readonly app: App;
  /** Loads all models, so that the first task need not wait for them. */
  load(): Promise<void>;
  /** Ends it. @param graceMs how long running tasks may continue; the rest is put back */
  stop(graceMs: number): Promise<void>;
}

/**
 * Assembles the role `worker`: takes jobs from the queue and processes their tasks.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @throws StartProblem
 */
export const composeWorker = async (
  config: WorkerConfig,
  packageRoot: string,
  log: Log,
  { silentMs }: Pick<Intervals, 'silentMs'> = INTERVALS,
): Promise<WorkerProcess> => {
  requireDevice(config.device);
  const ffmpeg = await findFfmpeg(config.ffmpeg, process.env);
  const services = await openServices(config, log, 'worker', silentMs);
  const { store, queue, files, temporaryFolder } = services;
  await createFolder(temporaryFolder);
  const engine = await openEngine(packageRoot, config, log, ffmpeg);
  const lifecycle = createLifecycle();
  lifecycle.modelsLoaded();
  const metrics = createClusterMetrics(services, 'worker');
  const measured = measuredEngine(engine, ({ timings }) => metrics.countStages(timings));
  const worker = startWorker(
    {
      ...{ store, queue, files: files.storage, engine: measured, system, log, timer, temporaryFolder },
      dividesVideos: config.dividesVideos,
      filesAreAvailable: files.isAvailable,
      onOutcome: metrics.countOutcome,
    },
    {
      name: `${hostname()}:${process.pid}`,
      slots: config.workers,
      take: config.take,
      memoryBudgetBytes: config.memoryBudgetBytes,
    },
  );
  const app = createProbeApp({
    phase: lifecycle.phase,
    checkStore: () => store.get(''),
    isTaking: worker.isTaking,
    engineAnswers: engine.isAnswering,
    metrics,
    version: VERSION,
    access: accessOf(config),
  });
  return {
    app,
    load: async () => {
      await engine.load(DEFAULT_CLASSES, () => undefined, new AbortController().signal);
    },
    stop: async (graceMs) => {
      lifecycle.stopping();
      await worker.stop(graceMs);
      await app.close();
      await engine.close();
      await services.close();
    },
  };
};
