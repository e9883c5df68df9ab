import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApiService, dispatch, type ApiService } from '#shared/api/dispatch';
import { createEventStreams } from '#shared/api/http/event-streams';
import type { UploadPart } from '#shared/api/http/http';
import type { Log, System } from '#shared/ports/system';
import type { Engine } from '#shared/ports/engine';
import type { SubjectStore } from '#shared/ports/storage';
import type { WebhookPorts } from '#shared/ports/webhook-sender';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import type { RetentionSettings } from '#shared/tasks/retention';
import type { TaskService } from '#shared/tasks/service';
import { accessOf } from './adapters/access';
import { createAddressGuard } from './adapters/address-guard';
import type { Metrics } from './adapters/metrics';
import { timer } from './adapters/timer';
import { createReportSigner } from './adapters/report-keys';
import { createWebhookSender } from './adapters/webhook-sender';
import { createWebhookSigner } from './adapters/webhook-signer';
import { createApp, type App } from './app';
import type { Config } from './cli/config';
import { VERSION } from '#shared/domain/version';
import { createDiskReserve } from './http/disk-reserve';
import { receiveUpload } from './http/receive-upload';
import type { ReceivingFolder } from './http/receiving-folder';
import { sitePolicyOf } from './http/site-policy';
import type { Lifecycle } from './lifecycle';

/** @param baseUrl called at each request, because a port that the system chooses is unknown before listening */
export const settingsOf = (config: Config, baseUrl: () => string): ServiceSettings => ({
  get baseUrl() {
    return baseUrl();
  },
  classes: config.classes,
  format: config.format,
  saveMask: config.saveMask,
  keepMetadata: config.keepMetadata,
  maskFiles: 'written',
  concurrency: config.workers,
  hold: config.hold,
  syncWhenBusy: config.syncWhenBusy,
  strictParameters: config.strictParameters,
  limits: config.limits,
  maxQueue: config.maxQueue,
  taskTimeoutMs: config.taskTimeoutMs,
  taskTimeoutMsPerMegapixel: config.taskTimeoutMsPerMegapixel,
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

const logNamesOf = (parts: readonly UploadPart[], log: Log): void => {
  for (const { filename, file } of parts) {
    log.info('Received a file.', { filename: filename ?? '', bytes: file.sizeBytes });
  }
};

/** What the web server needs beside its settings. */
export interface AppServices {
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
  };
  const reserve = createDiskReserve({
    folders: receiving.places,
    reserveBytes: config.diskReserveBytes,
    maxUploadBytes: config.limits.maxUploadBytes,
  });
  const app = await createApp({
    api: {
      answer: (request, requestLog) => dispatch(request, { ...service, log: requestLog }),
      receiveUpload: async (request, wanted, requestLog) => {
        const receive = () => receiveUpload(request, { ...options, ...wanted });
        const parts = await reserve.receive(request, receive);
        if (config.logNames) logNamesOf(parts, requestLog);
        return parts;
      },
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
  });
  return { app, service };
};
