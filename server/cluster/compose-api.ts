import type { Log } from '#shared/ports/system';
import { findFfmpeg } from '../adapters/find-ffmpeg';
import { system } from '../adapters/system';
import { timer } from '../adapters/timer';
import { addressOf, type App } from '../app';
import type { ApiConfig } from '../cli/cluster-config';
import { composeApp, retentionOf, settingsOf, webhookPortsOf } from '../compose-app';
import { createLifecycle } from '../lifecycle';
import { openEngine } from '../open-engine';
import { createClusterMetrics } from './cluster-metrics';
import { createClusterTasks } from './cluster-tasks';
import type { ApiPorts } from './cluster-ports';
import { coordinate, INTERVALS, type Intervals } from './coordinate';
import { deliverWebhooks } from './deliver-webhooks';
import { openServices } from './services';

/** A process of the role `api`. */
export interface ApiProcess {
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
export const composeApi = async (
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
