import { readFileSync } from 'node:fs';
import type { Log } from '#shared/ports/system';
import { StartProblem } from '../../cli/start-problem';
import type { WorkQueue } from '../../cluster/cluster-ports';
import {
  type LockTimes,
  type Backend,
  type ReportError,
  LOCK_TIMES,
  createReport,
  STREAMS,
  pauseAfterErrors,
  workerOptions,
} from './bullmq-backend';
import { createBullMqQueue } from './bullmq-queue';
import { createRedisBackend, type RedisAddress } from './redis-backend';
import type { PostgresConnectionOptions } from 'bullmq';

const CONNECT_MS = 3000;
const QUERY_MS = 10_000;
/** Connections of one queue or worker; a worker opens one more to be notified of jobs. */
const MAX_CONNECTIONS = 3;

/**
 * BullMQ on PostgreSQL. Loads its packages.
 *
 * Experimental: its locks are times of the workers' clocks, which must be synchronous to a few seconds.
 *
 * @param schema schema of its tables, which are created when the first connection is made
 */
const createPostgresQueueBackend = async (
  url: string,
  schema: string,
  times: LockTimes,
  report: ReportError,
): Promise<Backend> => {
  const { Queue, Worker, createPostgresBackend } = await import('bullmq');
  const connection: PostgresConnectionOptions = {
    connectionString: url,
    schema,
    migrate: true,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
  };
  return {
    whenReady: async () => undefined,
    openQueue: (kind) => {
      const queue = new Queue(kind, { connection, streams: STREAMS }, createPostgresBackend);
      queue.on('error', report);
      return queue;
    },
    openWorker: (kind, slots, process) => {
      const options = { ...workerOptions(slots, times), connection };
      const worker = new Worker(kind, process, options, createPostgresBackend);
      worker.on('error', report);
      pauseAfterErrors(worker.getBackend());
      // Its connections end with the worker: queries have a limit, and a connection that is lost ends by itself.
      return { worker, isConnected: () => true, cut: () => undefined };
    },
    probe: (queue) => queue.getJobCounts('active'),
    cut: () => undefined,
  };
};

const EXPECTED =
  'The queue must be redis://<host>, rediss://<host> or postgres://<host>/<database>, with a user and a password if needed.';
const REDIS_PORT = 6379;

export interface QueueOptions {
  readonly log: Log;
  /** Prefix of keys in Redis; schema in PostgreSQL. */
  readonly namespace?: string;
  readonly times?: LockTimes;
}

const parseUrl = (text: string): URL => {
  try {
    return new URL(text);
  } catch {
    throw new StartProblem(EXPECTED);
  }
};

/** The certificates of a file. @throws StartProblem */
const readCertificates = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartProblem(`The certificates of the queue cannot be read: ${path}`, { cause });
  }
};

/** Text between two signs of a URL, decoded; undefined if it is empty. @throws StartProblem */
const decode = (text: string): string | undefined => {
  try {
    return text === '' ? undefined : decodeURIComponent(text);
  } catch {
    throw new StartProblem(EXPECTED);
  }
};

/**
 * Parses the address of Redis: `redis://[user[:password]@]host[:port][/database]`, or `rediss://` with TLS. Parameter:
 * `ca`, a file with certificates of authorities (PEM), by default those of Node (see `NODE_EXTRA_CA_CERTS`).
 *
 * @throws StartProblem
 */
export const parseRedisUrl = (url: URL): RedisAddress => {
  const isSecure = url.protocol === 'rediss:';
  const [, database = ''] = /^\/?(\d{0,5})$/.exec(url.pathname) ?? [];
  if (url.hostname === '' || (database === '' && url.pathname.length > 1)) throw new StartProblem(EXPECTED);
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'ca');
  if (unknown !== undefined) throw new StartProblem(`The address of the queue has no parameter ${unknown}.`);
  const ca = url.searchParams.get('ca');
  if (ca !== null && !isSecure) throw new StartProblem('The parameter ca of the queue needs rediss://.');
  return {
    // An address of IP version 6 stands in brackets.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? REDIS_PORT : Number(url.port),
    username: decode(url.username),
    password: decode(url.password),
    db: Number(database),
    tls: isSecure ? { ca: ca === null ? undefined : readCertificates(ca) } : undefined,
  };
};

/**
 * Opens the work queue of an address. Returns before it is connected: the queue may be unavailable at the start.
 *
 * @throws StartProblem if the address is wrong. Its message does not contain the address, which may have a password
 */
export const openQueue = async (
  address: string,
  { log, namespace = 'veil', times = LOCK_TIMES }: QueueOptions,
): Promise<WorkQueue> => {
  const url = parseUrl(address);
  const report = createReport(log);
  switch (url.protocol) {
    case 'redis:':
    case 'rediss:': {
      const backend = await createRedisBackend(parseRedisUrl(url), namespace, times, { log, report });
      return createBullMqQueue(backend, log, report);
    }
    case 'postgres:':
    case 'postgresql:': {
      const backend = await createPostgresQueueBackend(address, `${namespace}_queue`, times, report);
      return createBullMqQueue(backend, log, report);
    }
    default:
      throw new StartProblem(EXPECTED);
  }
};
