import type { ApiService } from '#shared/api/dispatch';
import type { Log } from '#shared/ports/system';
import { startRetention, type Retention } from '#shared/tasks/retention';
import { createTaskService, type TaskService } from '#shared/tasks/service';
import { findFfmpeg } from './adapters/find-ffmpeg';
import { createMetrics } from './adapters/metrics';
import { createFolder, createStorage } from './adapters/storage';
import { system } from './adapters/system';
import { openTaskStore, type FileTaskStore } from './adapters/task-store';
import { timer } from './adapters/timer';
import { addressOf, type App } from './app';
import type { Config } from './cli/config';
import { composeApp, retentionOf, settingsOf, webhookPortsOf } from './compose-app';
import { openReceivingFolder } from './http/receiving-folder';
import { createLifecycle, type Lifecycle } from './lifecycle';
import { measuredEngine } from './measured-engine';
import { openEngine, type ProcessEngine } from './open-engine';

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
}

/**
 * Assembles the server of one process. Only this file and `compose-app.ts` connect its adapters.
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
  return { app, lifecycle, tasks, service, retention, engine, taskStore };
};
