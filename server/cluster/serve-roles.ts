import type { Log } from '#shared/ports/system';
import { createLog } from '../adapters/log';
import { applyGrants, migrate } from '../adapters/postgres/migrate';
import { addressOf, type App } from '../app';
import type { Grants, ApiConfig, WorkerConfig } from '../cli/cluster-commands';
import { StartProblem } from '../cli/start-problem';
import { startMessage, listenProblem, stopOnSignals } from '../serve';
import { refuseOpenExposure, warnOfTokens } from '../http/exposure';
import { type Intervals, INTERVALS, coordinate } from './coordinate';
import { hostname } from 'node:os';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import { VERSION } from '#shared/domain/version';
import { accessOf } from '../adapters/access';
import { findFfmpeg } from '../adapters/find-ffmpeg';
import { requireDevice } from '../adapters/inference';
import { createFolder } from '../adapters/storage';
import { system, timer } from '../adapters/system';
import { createProbeApp } from '../http/serve-probes';
import { createLifecycle } from '../lifecycle';
import { measuredEngine, openEngine } from '../open-engine';
import { createClusterMetrics } from './cluster-metrics';
import { openServices } from './services';
import { startWorker } from './worker';
import { composeApp, retentionOf, settingsOf, webhookPortsOf } from '../compose';
import { createClusterTasks, deliverWebhooks } from './cluster-tasks';
import type { ApiPorts } from './cluster-ports';

/** A process of the role `api`. */
interface ApiProcess {
  readonly app: App;
  /** Ends it. @param graceMs how long clients that wait for results are served */
  stop(graceMs: number): Promise<void>;
}

/** Maximum time for open responses at the end. */
const CLOSE_GRACE_MS = 3_000;

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
): Promise<ApiProcess> => {
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
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
      await app.close();
      clearTimeout(cut);
      await engine.close();
      await services.close();
    },
  };
};

/** A process of the role `worker`. */
interface WorkerProcess {
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
const composeWorker = async (
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

/** A process that answers requests until it is stopped. */
interface RoleProcess {
  readonly app: App;
  stop(graceMs: number): Promise<void>;
}

type ListenConfig = Pick<ApiConfig, 'host' | 'port' | 'shutdownGraceMs'>;

/** @throws StartProblem if it cannot listen */
const listen = async (
  role: RoleProcess,
  { host, port, shutdownGraceMs }: ListenConfig,
  log: Log,
): Promise<void> => {
  stopOnSignals(() => role.stop(shutdownGraceMs), log);
  try {
    await role.app.listen({ host, port });
  } catch (cause) {
    await role.stop(0);
    const sentence = listenProblem(cause, { host, port });
    throw sentence === undefined ? cause : new StartProblem(sentence, { cause });
  }
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
  await refuseOpenExposure(config);
  warnOfTokens(config);
  const log = createLog(config);
  const api = await composeApi(config, packageRoot, log, intervals);
  await listen(api, config, log);
  process.stdout.write(startMessage(addressOf(api.app), config.retentionMs));
};

/** Processes tasks until a signal. Resolves when it takes work. @throws FlagError, StartProblem */
export const serveWorker = async (
  config: WorkerConfig,
  packageRoot: string,
  intervals?: Intervals,
): Promise<void> => {
  await refuseOpenExposure(config);
  warnOfTokens(config);
  const log = createLog(config);
  const worker = await composeWorker(config, packageRoot, log, intervals);
  await listen(worker, config, log);
  process.stdout.write(`The worker is ready; its probes are at ${addressOf(worker.app)}\n`);
  worker.load().catch((error: unknown) => {
    log.error('The models could not be loaded; the next task tries again.', error);
  });
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
