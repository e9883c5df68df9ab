import { type ApiService, createApiService, dispatch } from '#shared/api/dispatch';
import type { Log, System } from '#shared/ports/system';
import type { WebhookPorts } from '#shared/ports/webhooks';
import type { Storage, SubjectStore } from '#shared/ports/storage';
import { startRetention, type Retention, type RetentionSettings } from '#shared/tasks/retention';
import { createTaskService, type TaskService } from '#shared/tasks/service';
import { findFfmpeg } from './adapters/find-ffmpeg';
import { createMetrics, type Metrics } from './adapters/metrics';
import { createFolder, createStorage } from './adapters/storage';
import { system, timer } from './adapters/system';
import { openTaskStore, type FileTaskStore } from './adapters/task-store';
import { addressOf, type App, createApp } from './app';
import type { Config } from './cli/config';
import { openReceivingFolder, type ReceivingFolder } from './http/receiving-folder';
import { createLifecycle, type Lifecycle } from './lifecycle';
import { measuredEngine } from './engine/process-engine';
import { openEngine, type ProcessEngine } from './open-engine';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createEventStreams } from '#shared/api/http/event-streams';
import type { Engine } from '#shared/ports/host-engine';
import { workSettingsOf } from '#shared/tasks/base/job-store';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { accessOf } from './adapters/access';
import { createAddressGuard } from './adapters/address-guard';
import { createReportSigner } from './adapters/report-keys';
import { createWebhookSender, createWebhookSigner } from './adapters/webhook-sender';
import { VERSION } from '#shared/domain/version';
import { createDiskReserve } from './http/disk-reserve';
import { createUploadReceiver } from './http/receive-upload';
import { sitePolicyOf } from './http/site-policy';

/** @param baseUrl called at each request, because a port that the system chooses is unknown before listening */
export const settingsOf = (config: Config, baseUrl: () => string): ServiceSettings => ({
  get baseUrl() {
    return baseUrl();
  },
  classes: config.classes,
  format: config.format,
  ...(config.reasons && { reasons: config.reasons }),
  ...workSettingsOf(config),
  maskFiles: 'written',
  concurrency: config.workers,
  hold: config.hold,
  // Panoramax does not ask again.
  syncWhenBusy: config.panoramax ? 'queue' : config.syncWhenBusy,
  strictParameters: config.strictParameters,
  releaseGate: config.releaseGate,
  maxQueue: config.maxQueue,
  memoryBudgetBytes: config.memoryBudgetBytes,
});

/** Undefined where tasks are never deleted automatically. */
export const retentionOf = ({ retentionMs, confirmsSweeps }: Config): RetentionSettings | undefined =>
  retentionMs === undefined ? undefined : { retentionMs, confirmsSweeps };

export const webhookPortsOf = ({ webhookKey, webhookAllow }: Config): WebhookPorts => ({
  sender: createWebhookSender({ guard: createAddressGuard(webhookAllow), timer }),
  signer: webhookKey ? createWebhookSigner(webhookKey) : null,
  timer,
  random: Math.random,
});

/** What the web server needs next to its settings. */
interface AppServices {
  readonly tasks: TaskService;
  readonly settings: ServiceSettings;
  readonly ports: {
    readonly engine: Engine;
    readonly system: System;
    readonly log: Log;
    readonly webhooks: WebhookPorts;
    readonly subjects: SubjectStore | undefined;
  };
  readonly receiving: ReceivingFolder;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  /** Rejects if task records cannot be read. */
  checkStore(): Promise<unknown>;
  /** Whether the engine process answers. */
  readonly engineAnswers: () => boolean;
}

/**
 * Assembles the web server over a task service.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 */
export const composeApp = async (
  config: Config,
  packageRoot: string,
  { tasks, settings, ports, receiving, lifecycle, metrics, checkStore, engineAnswers }: AppServices,
): Promise<{ readonly app: App; readonly service: ApiService }> => {
  const { log } = ports;
  const access = accessOf(config);
  const reportSigner = config.reportKey && createReportSigner(config.reportKey);
  const eventStreams = createEventStreams(config.maxEventStreams, timer);
  const service = createApiService(
    tasks,
    { ...ports, eventStreams, nextTurn, access, reportSigner },
    settings,
  );
  const { uploadIdleMs, uploadMinBytesPerS } = config;
  const options = {
    receiving,
    maxUploadBytes: config.limits.maxUploadBytes,
    pace: { uploadIdleMs, uploadMinBytesPerS },
    logsNames: config.logNames,
  };
  const reserve = createDiskReserve({
    folders: receiving.places,
    reserveBytes: config.diskReserveBytes,
    maxUploadBytes: config.limits.maxUploadBytes,
  });
  const app = await createApp({
    api: {
      answer: (request, requestLog) => dispatch(request, { ...service, log: requestLog }),
      receiveUpload: createUploadReceiver(reserve, options),
    },
    web: { page: join(packageRoot, 'dist/web'), models: join(packageRoot, 'models') },
    log,
    watch: {
      phase: lifecycle.phase,
      checkStore,
      engineAnswers,
      metrics,
      version: VERSION,
      access,
      logNames: config.logNames,
    },
    sites: sitePolicyOf(config),
    connections: config,
    servesPanoramax: config.panoramax,
  });
  return { app, service };
};

/** The running parts of the server. */
export interface Server {
  readonly app: App;
  readonly lifecycle: Lifecycle;
  readonly tasks: TaskService;
  /** What `dispatch` answers requests with. */
  readonly service: ApiService;
  /** Undefined if tasks are never deleted automatically. */
  readonly retention: Retention | undefined;
  readonly engine: ProcessEngine;
  readonly taskStore: FileTaskStore;
  readonly storage: Storage;
}

/**
 * Assembles the server of one process. Only this file connects its adapters.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 */
export const compose = async (config: Config, packageRoot: string, log: Log): Promise<Server> => {
  const folders = { input: config.inputFolder, output: config.outputFolder };
  const ffmpeg = await findFfmpeg(config.ffmpeg, process.env);
  await createFolder(folders.output);
  // Before all others, because its lock keeps other servers out of the folders that are cleaned next.
  const taskStore = await openTaskStore(folders.output);
  const receiving = await openReceivingFolder(folders);
  const engine = await openEngine(packageRoot, config, log, ffmpeg);
  const lifecycle = createLifecycle();
  const metrics = createMetrics(() => taskStore.countByStatus());
  const settings = settingsOf(config, () => config.apiEndpoint ?? addressOf(app));
  const storage = createStorage(folders);
  const ports = {
    engine: measuredEngine(engine, ({ timings }) => {
      metrics.countStages(timings);
      lifecycle.modelsLoaded(); // also if loading at the start failed
    }),
    storage,
    taskStore,
    system,
    log,
    timer,
    webhooks: webhookPortsOf(config),
    subjects: config.subjects ? taskStore.subjects : undefined,
  };
  const tasks = createTaskService(ports, settings);
  await tasks.resume();
  const { app, service } = await composeApp(config, packageRoot, {
    tasks,
    settings,
    ports,
    receiving,
    lifecycle,
    metrics,
    checkStore: () => taskStore.get(''),
    engineAnswers: engine.isAnswering,
  });
  const kept = retentionOf(config);
  // Also of subjects, if they are switched off now.
  const retention = kept && startRetention(kept, tasks, ports, taskStore.subjects);
  return { app, lifecycle, tasks, service, retention, engine, taskStore, storage };
};
