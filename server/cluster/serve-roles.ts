import type { Log } from '#shared/ports/system';
import { createLog } from '../adapters/log';
import { applyGrants } from '../adapters/postgres/grants';
import { migrate } from '../adapters/postgres/migrate';
import { addressOf, type App } from '../app';
import type { Grants } from '../cli/cluster-commands';
import type { ApiConfig, WorkerConfig } from '../cli/cluster-config';
import { StartProblem } from '../cli/start-problem';
import { startMessage } from '../start-message';
import { refuseOpenExposure, warnOfTokens } from '../http/exposure';
import { listenProblem, stopOnSignals } from '../serve';
import { composeApi } from './compose-api';
import { composeWorker } from './compose-worker';
import type { Intervals } from './coordinate';

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
