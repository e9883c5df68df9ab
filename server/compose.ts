import { join } from 'node:path';
import { createApiService, dispatch, type ApiService } from '#shared/api/dispatch';
import type { UploadPart } from '#shared/api/http/http';
import type { Log } from '#shared/ports/log';
import { startRetention, type Retention } from '#shared/tasks/retention';
import { createTaskService, type TaskService } from '#shared/tasks/service';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import type { WebhookPorts } from '#shared/ports/webhook-sender';
import { createTokenAccess } from './adapters/access';
import { createAddressGuard } from './adapters/address-guard';
import type { PoolEngine } from './adapters/engine';
import { findFfmpeg } from './adapters/find-ffmpeg';
import { createMetrics } from './adapters/metrics';
import { createFolder, createStorage } from './adapters/storage';
import { system } from './adapters/system';
import { openTaskStore, type FileTaskStore } from './adapters/task-store';
import { timer } from './adapters/timer';
import { createWebhookSender } from './adapters/webhook-sender';
import { createWebhookSigner } from './adapters/webhook-signer';
import { addressOf, createApp, type App } from './app';
import type { Config } from './cli/config';
import { receiveUpload } from './http/receive-upload';
import { openReceivingFolder } from './http/receiving-folder';
import { sitePolicyOf } from './http/site-policy';
import { createLifecycle, type Lifecycle } from './lifecycle';
import { measuredEngine } from './measured-engine';
import { openEngine } from './open-engine';
import { VERSION } from './cli/version';

/** The running parts of the server. */
export interface Server {
  readonly app: App;
  readonly lifecycle: Lifecycle;
  readonly tasks: TaskService;
  /** What `dispatch` answers requests with. */
  readonly service: ApiService;
  /** Undefined if tasks are never deleted automatically. */
  readonly retention: Retention | undefined;
  readonly engine: PoolEngine;
  readonly taskStore: FileTaskStore;
}

/** An upload without data for this long is aborted. */
const UPLOAD_IDLE_MS = 60_000;

/** @param baseUrl called at each request, because a port that the system chooses is unknown before listening */
const settingsOf = (config: Config, baseUrl: () => string): ServiceSettings => ({
  get baseUrl() {
    return baseUrl();
  },
  classes: config.classes,
  tiling: config.tiling,
  saveMask: config.saveMask,
  keepMetadata: config.keepMetadata,
  maskFiles: 'written',
  concurrency: config.workers,
  hold: config.hold,
  syncWhenBusy: config.syncWhenBusy,
  limits: config.limits,
  maxQueue: config.maxQueue,
  taskTimeoutMs: config.taskTimeoutMs,
});

const webhookPortsOf = ({ webhookKey, webhookAllow }: Config): WebhookPorts => ({
  sender: createWebhookSender({ guard: createAddressGuard(webhookAllow), timer }),
  signer: webhookKey ? createWebhookSigner(webhookKey) : null,
  timer,
  random: Math.random,
});

const logNamesOf = (parts: readonly UploadPart[], log: Log): void => {
  for (const { filename, file } of parts) {
    log.info('Received a file.', { filename: filename ?? '', bytes: file.sizeBytes });
  }
};

/**
 * Assembles the server. Only this file connects the adapters.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 */
export const compose = async (config: Config, packageRoot: string, log: Log): Promise<Server> => {
  const folders = { input: config.inputFolder, output: config.outputFolder };
  const ffmpeg = await findFfmpeg(config.ffmpeg, process.env);
  await createFolder(folders.output);
  // Before all others, because its lock keeps other servers out of the folders that are cleaned next.
  const taskStore = await openTaskStore(folders.output);
  const receiving = await openReceivingFolder(folders.input);
  const engine = await openEngine(packageRoot, config, ffmpeg);
  const lifecycle = createLifecycle();
  const metrics = createMetrics(() => taskStore.countByStatus());
  const settings = settingsOf(config, () => config.apiEndpoint ?? addressOf(app));
  const ports = {
    engine: measuredEngine(engine, ({ timings }) => {
      metrics.countStages(timings);
      lifecycle.modelsLoaded(); // also if loading at the start failed
    }),
    storage: createStorage(folders),
    taskStore,
    system,
    log,
    timer,
    webhooks: webhookPortsOf(config),
  };
  const tasks = createTaskService(ports, settings);
  await tasks.resume();
  const access = config.token === undefined ? undefined : createTokenAccess(config.token);
  const service = createApiService(tasks, { ...ports, access }, settings);
  const options = {
    folders,
    receiving,
    maxUploadBytes: config.limits.maxUploadBytes,
    idleMs: UPLOAD_IDLE_MS,
  };
  const app = await createApp({
    api: {
      answer: (request, requestLog) => dispatch(request, { ...service, log: requestLog }),
      receiveUpload: async (request, wanted, requestLog) => {
        const parts = await receiveUpload(request, { ...options, ...wanted });
        if (config.logNames) logNamesOf(parts, requestLog);
        return parts;
      },
    },
    web: { page: join(packageRoot, 'dist/web'), models: join(packageRoot, 'models') },
    log,
    watch: {
      phase: lifecycle.phase,
      checkStore: () => taskStore.get(''),
      metrics,
      version: VERSION,
      access,
      logNames: config.logNames,
    },
    sites: sitePolicyOf(config),
  });
  const { retentionMs } = config;
  const retention = retentionMs === undefined ? undefined : startRetention(retentionMs, tasks, ports);
  return { app, lifecycle, tasks, service, retention, engine, taskStore };
};
