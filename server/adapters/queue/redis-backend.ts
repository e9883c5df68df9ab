import { once } from 'node:events';
import type { Redis, RedisOptions } from 'ioredis';
import type { Log } from '#shared/ports/system';
import {
  type Backend,
  type ConnectedWorker,
  type LockTimes,
  type ReportError,
  STREAMS,
  pauseAfterErrors,
  workerOptions,
  within,
} from './bullmq-backend';

/** Where Redis or Valkey is. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
  /** Undefined: without TLS. */
  readonly tls: { readonly ca: string | undefined } | undefined;
}

/** Pause between attempts to connect. Constant, so that workers continue soon after a restart. */
const RECONNECT_MS = 500;
const CONNECT_MS = 3000;
/** Pause between two tests of a connection. */
const TEST_MS = 10_000;
/** Limit of a command of a producer. */
const COMMAND_MS = 3000;
/** Life of the key by which `probe` tests that Redis stores data. */
const PROBE_LIFE_MS = 1000;

const connectionOptions = ({ tls, ...address }: RedisAddress): RedisOptions => ({
  ...Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined)),
  ...(tls ? { tls: tls.ca === undefined ? {} : { ca: tls.ca } } : {}),
  retryStrategy: () => RECONNECT_MS,
  connectTimeout: CONNECT_MS,
  // After a failover, the address belongs to another server.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
});

/** A producer fails at once without a connection: its caller has a client that waits. */
const PRODUCER: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_MS,
};

/** A worker waits for Redis, however long that takes. */
const WORKER: RedisOptions = { maxRetriesPerRequest: null };

/**
 * Opens a connection again on which Redis does not answer, for example because a host disappeared: its commands would
 * wait for a quarter of an hour, until the operating system gives up.
 */
const reopenSilent = (client: Redis): void => {
  const test = async (): Promise<void> => {
    // `connect`: before the first answer.
    if (client.status !== 'ready' && client.status !== 'connect') return;
    await within(TEST_MS, client.ping()).catch(() => client.disconnect(true));
  };
  const timer = setInterval(() => void test(), TEST_MS).unref();
  client.once('end', () => clearInterval(timer));
};

/**
 * Logs if Redis may delete jobs to free memory. Their tasks would still be processed, but only after the search for
 * records without a job.
 */
const warnOfEviction = async (client: Redis, log: Log): Promise<void> => {
  const [, policy] = /^maxmemory_policy:(.*?)\r?$/m.exec(await client.info('memory')) ?? [];
  if (policy === undefined || policy === 'noeviction') return;
  log.error(
    'Redis may delete waiting jobs to free memory: set its maxmemory-policy to noeviction.',
    undefined,
    { policy },
  );
};

/** BullMQ on Redis or Valkey. Loads its packages. @param prefix of all keys */
export const createRedisBackend = async (
  address: RedisAddress,
  prefix: string,
  times: LockTimes,
  { log, report }: { readonly log: Log; readonly report: ReportError },
): Promise<Backend> => {
  const [{ Queue, Worker }, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
  const base = { prefix, skipVersionCheck: true };

  const connect = (options: RedisOptions): Redis => {
    const client = new Redis({ ...connectionOptions(address), ...options });
    client.on('error', report);
    reopenSilent(client);
    return client;
  };
  const producer = connect(PRODUCER);
  producer.once('ready', () => {
    warnOfEviction(producer, log).catch(report);
  });

  const openWorker: Backend['openWorker'] = (kind, slots, process): ConnectedWorker => {
    const client = connect(WORKER);
    const clients = [client];
    // BullMQ duplicates the client for the command that waits for jobs.
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (override) => {
      const copy = duplicate(override);
      clients.push(copy);
      return copy;
    };
    const worker = new Worker(kind, process, { ...workerOptions(slots, times), ...base, connection: client });
    worker.on('error', report);
    pauseAfterErrors(worker.getBackend());
    return {
      worker,
      isConnected: () => clients.every(({ status }) => status === 'ready'),
      cut: () => clients.forEach((each) => each.disconnect()),
    };
  };

  return {
    whenReady: async () => {
      if (producer.status === 'ready') return;
      await once(producer, 'ready', { signal: AbortSignal.timeout(COMMAND_MS) });
    },
    openQueue: (kind) => {
      const queue = new Queue(kind, { ...base, connection: producer, streams: STREAMS });
      queue.on('error', report);
      return queue;
    },
    openWorker,
    probe: () => producer.set(`${prefix}:probe`, '', 'PX', PROBE_LIFE_MS),
    cut: () => producer.disconnect(),
  };
};
