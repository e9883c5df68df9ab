import type { PostgresConnectionOptions } from 'bullmq';
import { STREAMS, pauseAfterErrors, workerOptions, type Backend, type LockTimes } from './bullmq-backend';
import type { ReportError } from './queue-log';

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
export const createPostgresQueueBackend = async (
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
