import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Intervals } from '../../cluster/cluster-tasks';
import { PROBES } from '../../http/serve-probes';
import { freePort } from '../services/free-port';
import { findPostgres, startPostgres, type PostgresServer } from '../services/postgres';
import { findRedis, startRedis, type RedisServer } from '../services/redis';
import type { ClusterProgram } from './build-cluster';
import { createKeptProcess, type KeptProcess } from './kept-process';

/** Programs of the services that a cluster needs. */
export interface ServicePrograms {
  readonly postgres: string;
  readonly redis: string;
}

/** @returns undefined, after a printed sentence, if tests with a cluster must be skipped */
export const findServices = async (): Promise<ServicePrograms | undefined> => {
  const postgres = await findPostgres();
  const redis = await findRedis();
  return postgres !== undefined && redis !== undefined ? { postgres, redis } : undefined;
};

/** Intervals for tests: lost work is noticed within a few seconds. */
export const SHORT_INTERVALS: Intervals = { checkMs: 500, silentMs: 4_000, requeueMs: 1_000 };

export interface ClusterOptions {
  readonly program: ClusterProgram;
  readonly services: ServicePrograms;
  readonly workers: number;
  /** For each API process: its flags next to the services. */
  readonly apis: readonly (readonly string[])[];
  /** How long the fake engine works on a file; undefined: the models of the program are used. */
  readonly fakeWorkMs?: number;
  /** Undefined: those of the product. */
  readonly intervals?: Intervals;
  /** The database waits for the disk, as in production. */
  readonly isDurable?: boolean;
  /** Settings of the database. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
}

/** Database, queue, files and processes of their own. */
export interface Cluster {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** URL of the database. */
  readonly database: string;
  /** Folder of the files, with `input` and `output`. */
  readonly files: string;
  readonly apis: readonly KeptProcess[];
  readonly workers: readonly KeptProcess[];
  /** Adds an API process, which is ready. */
  addApi(flags?: readonly string[]): Promise<KeptProcess>;
  /** Adds a worker, which is ready. @param core the only core on which it runs; by default all */
  addWorker(flags?: readonly string[], core?: number): Promise<KeptProcess>;
  /** Ends everything and removes all data. */
  stop(): Promise<void>;
}

const environmentOf = (
  database: string,
  queue: string,
  files: string,
  { intervals }: ClusterOptions,
): NodeJS.ProcessEnv => ({
  ...process.env,
  VEIL_DATABASE: database,
  VEIL_QUEUE: queue,
  VEIL_FILES: files,
  ...(intervals && { VEIL_TEST_INTERVALS: JSON.stringify(intervals) }),
});

/** Starts services and processes. Resolves when all of them are ready. */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { program, services } = options;
  const folder = mkdtempSync(join(tmpdir(), 'veil-cluster-'));
  const files = join(folder, 'files');
  mkdirSync(files);
  const [postgres, redis] = await Promise.all([
    startPostgres(services.postgres, {
      isDurable: options.isDurable ?? false,
      settings: options.postgresSettings ?? {},
    }),
    startRedis(services.redis, { args: ['--maxmemory-policy', 'noeviction'] }),
  ]);
  const database = await postgres.createDatabase();
  const env = environmentOf(database, redis.url, files, options);
  const root = options.fakeWorkMs === undefined ? program.root : program.fakeRoot(options.fakeWorkMs);
  const apis: KeptProcess[] = [];
  const workers: KeptProcess[] = [];

  const add = async (
    role: 'api' | 'worker',
    list: KeptProcess[],
    flags: readonly string[],
    core?: number,
  ): Promise<KeptProcess> => {
    const port = await freePort();
    const name = `${role}-${list.length + 1}`;
    const added = createKeptProcess({
      name,
      origin: `http://127.0.0.1:${port}`,
      args: [program.roleProcess, root, role, '--port', String(port), ...flags],
      env,
      ...(core !== undefined && { core }),
      logPath: join(folder, `${name}.log`),
    });
    list.push(added);
    added.start();
    await added.answers(PROBES.readiness);
    return added;
  };
  const addWorker = (flags: readonly string[] = ['--slots', '1'], core?: number) =>
    add('worker', workers, flags, core);
  const addApi = (flags: readonly string[] = []) => add('api', apis, flags);
  const cluster: Cluster = {
    ...{ postgres, redis, database, files, apis, workers, addApi, addWorker },
    stop: async () => {
      await Promise.all([...apis, ...workers].map((each) => each.kill()));
      await Promise.all([postgres.stop(), redis.remove()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    const adding = Array.from({ length: options.workers }, () => addWorker());
    await Promise.all([...options.apis.map((flags) => addApi(flags)), ...adding]);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
};
