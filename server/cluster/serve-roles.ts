import type { Log } from '#shared/ports/system';
import { applyGrants, migrate } from '../adapters/postgres/migrate';
import { addressOf } from '../app';
import type { Grants, ApiConfig, WorkerConfig } from '../cli/cluster-commands';
import { closeApp, serveUntilSignal, startMessage, type Serving } from '../serve';
import { type Intervals, INTERVALS, coordinate, createClusterTasks, deliverWebhooks } from './cluster-tasks';
import { hostname } from 'node:os';
import { defaultImageOptions } from '#shared/domain/options';
import { VERSION } from '#shared/domain/version';
import { accessOf } from '../adapters/access';
import { findFfmpeg } from '../adapters/find-ffmpeg';
import { createFolder } from '../adapters/storage';
import { system, timer } from '../adapters/system';
import { createProbeApp } from '../http/serve-probes';
import { createLifecycle, loadModels, type Lifecycle } from '../lifecycle';
import { measuredEngine } from '../engine/process-engine';
import { openEngine } from '../open-engine';
import { createClusterMetrics } from './cluster-metrics';
import { openServices } from './services';
import { startWorker } from './worker';
import { composeApp, retentionOf, settingsOf, webhookPortsOf } from '../compose';
import type { ApiPorts } from './cluster-ports';

/**
 * Assembles the role `api`: page, `/v1`, webhooks and retention over shared services. It loads no model; threads for
 * renderings start when they are needed.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @throws StartProblem
 */
const composeApi = async (
  config: ApiConfig,
  packageRoot: string,
  log: Log,
  intervals: Intervals = INTERVALS,
): Promise<Serving> => {
  const ffmpeg = await findFfmpeg(config.ffmpeg, process.env);
  const services = await openServices(config, log, 'api', intervals.silentMs);
  const { store, queue, files } = services;
  const engine = await openEngine(packageRoot, { ...config, workers: 1, startsLate: true }, log, ffmpeg);
  const lifecycle = createLifecycle();
  lifecycle.modelsLoaded(); // there are none to wait for
  const settings = settingsOf(config, () => config.apiEndpoint ?? addressOf(app));
  const webhooks = webhookPortsOf(config);
  const ports: ApiPorts = { store, queue, files: files.storage, engine, system, log, timer, webhooks };
  const tasks = createClusterTasks(ports, settings);
  const { app } = await composeApp(config, packageRoot, {
    tasks,
    settings,
    ports: { ...ports, subjects: config.subjects ? store.subjects : undefined },
    receiving: files.receiving,
    lifecycle,
    metrics: createClusterMetrics(services, 'api'),
    checkStore: () => store.get(''),
    engineAnswers: engine.isAnswering,
  });
  const background = [coordinate(ports, retentionOf(config), intervals), deliverWebhooks(ports)];
  return {
    app,
    stop: async (graceMs) => {
      lifecycle.stopping();
      await tasks.stop(graceMs);
      await Promise.all(background.map((end) => end()));
      await closeApp(app);
      await engine.close();
      await services.close();
    },
  };
};

interface WorkerProcess extends Serving {
  readonly lifecycle: Lifecycle;
  /** Loads all models, so that the first task need not wait for them. */
  load(): Promise<unknown>;
}

/**
 * Assembles the role `worker`: takes jobs from the queue and processes their tasks.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @throws StartProblem
 */
const composeWorker = async (
  config: WorkerConfig,
  packageRoot: string,
  log: Log,
  { silentMs }: Pick<Intervals, 'silentMs'> = INTERVALS,
): Promise<WorkerProcess> => {
  const ffmpeg = await findFfmpeg(config.ffmpeg, process.env);
  const services = await openServices(config, log, 'worker', silentMs);
  const { store, queue, files, temporaryFolder } = services;
  await createFolder(temporaryFolder);
  const engine = await openEngine(packageRoot, config, log, ffmpeg);
  const lifecycle = createLifecycle();
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
    ...{ app, lifecycle },
    load: () => engine.load(defaultImageOptions(), () => undefined, new AbortController().signal),
    stop: async (graceMs) => {
      lifecycle.stopping();
      await worker.stop(graceMs);
      await app.close();
      await engine.close();
      await services.close();
    },
  };
};

/**
 * Serves the page and the API over shared services until a signal. Resolves when it is ready.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @param intervals by default those of the product
 * @throws FlagError, StartProblem
 */
export const serveApi = async (
  config: ApiConfig,
  packageRoot: string,
  intervals?: Intervals,
): Promise<void> => {
  const open = (log: Log): Promise<Serving> => composeApi(config, packageRoot, log, intervals);
  const { address } = await serveUntilSignal(config, open);
  process.stdout.write(startMessage(address, config.retentionMs));
};

/** Processes tasks until a signal. Resolves when it takes work. @throws FlagError, StartProblem */
export const serveWorker = async (
  config: WorkerConfig,
  packageRoot: string,
  intervals?: Intervals,
): Promise<void> => {
  const open = (log: Log): Promise<WorkerProcess> => composeWorker(config, packageRoot, log, intervals);
  const { served, address, log } = await serveUntilSignal(config, open);
  process.stdout.write(`The worker is ready; its probes are at ${address}\n`);
  void loadModels(() => served.load(), served.lifecycle, log);
};

/**
 * Creates or updates the tables of a database.
 *
 * @param grants users that get exactly the rights of a role
 * @throws StartProblem
 */
export const runMigrations = async (database: string, grants: Grants): Promise<void> => {
  await migrate(database);
  process.stdout.write('The tables of the database are up to date.\n');
  for (const role of ['api', 'worker'] as const) {
    const user = grants[role];
    if (user === undefined) continue;
    await applyGrants(database, user, role);
    process.stdout.write(`The user ${user} has the rights of the role ${role}.\n`);
  }
};
