import type { Log } from '#shared/ports/system';
import { WORK_KINDS, type Job, type WorkKind } from '#shared/tasks/base/job-store';
import {
  type QueueLength,
  type WorkQueue,
  type Consumer,
  QueueUnavailable,
} from '../../cluster/cluster-ports';
import {
  type AnyQueue,
  type Backend,
  type ReportError,
  type ConnectedWorker,
  type TakenJob,
  jobOptions,
  within,
  withoutProperties,
} from './bullmq-backend';
import { setTimeout as delay } from 'node:timers/promises';

/** Pause before a worker is created again that could not be prepared. */
const REOPEN_MS = 1000;
/** Limit for each step of ending a worker. */
const END_MS = 3000;

/** A consumer that can also be ended without waiting for its handlers. */
interface EndableConsumer extends Consumer {
  abandon(): Promise<void>;
}

interface Options {
  readonly backend: Backend;
  readonly kind: WorkKind;
  readonly slots: number;
  readonly handle: (job: Job) => Promise<void>;
  readonly log: Log;
  readonly report: ReportError;
}

/** Runs handlers and knows which are running. An error of a handler is logged; the job counts as finished. */
const createHandlers = ({ kind, handle, log }: Options) => {
  const running = new Set<Promise<void>>();
  const run = async ({ id = '', data }: TakenJob): Promise<void> => {
    try {
      await handle({ id, kind, ...data });
    } catch (error) {
      log.error('A job failed.', error, { job: id });
    }
  };
  return {
    handle: async (job: TakenJob): Promise<void> => {
      const work = run(job);
      running.add(work);
      await work;
      running.delete(work);
    },
    whenIdle: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};

/**
 * Consumes jobs by a worker of BullMQ.
 *
 * The worker is created again until it is ready once, because BullMQ remembers a first connection that failed. Later it
 * reconnects by itself.
 */
const consumeByBullMq = (options: Options): EndableConsumer => {
  const { backend, kind, slots, report } = options;
  const handlers = createHandlers(options);
  let current: ConnectedWorker | undefined;
  let isEnding = false;

  const end = async ({ worker, cut }: ConnectedWorker, isForced: boolean): Promise<void> => {
    await within(END_MS, worker.close(isForced)).catch(report);
    cut();
  };
  const start = async (): Promise<void> => {
    while (!isEnding) {
      const opened = backend.openWorker(kind, slots, handlers.handle);
      current = opened;
      try {
        await opened.worker.waitUntilReady();
        // Ends at once if the worker was paused or closed meanwhile.
        return await opened.worker.run();
      } catch (error) {
        report(error);
        await end(opened, true);
        await delay(REOPEN_MS);
      }
    }
  };
  void start();

  return {
    stop: async () => {
      isEnding = true;
      await current?.worker.pause(true);
      await handlers.whenIdle();
      // Unforced, the worker returns a job that it is just fetching; without a connection it would wait for one.
      if (current) await end(current, !current.isConnected());
      // Those of jobs that were being fetched.
      await handlers.whenIdle();
    },
    abandon: async () => {
      isEnding = true;
      if (current) await end(current, true);
    },
  };
};

/** After this time the queue counts as unavailable. */
const ANSWER_MS = 3000;
/** Jobs that are added by one command, so that the database can answer other commands in between. */
const JOBS_PER_COMMAND = 500;

/** BullMQ refuses ids with `:` and ids that are numbers. */
const JOB_ID = /^(?!\d+$)[\w-]+$/;

const checkIds = (jobs: readonly Job[]): void => {
  const wrong = jobs.find(({ id }) => !JOB_ID.test(id));
  if (wrong) throw new Error(`not an id of a job: ${wrong.id}`);
};

/** Queues of all kinds. A queue whose first connection failed is opened again, because BullMQ remembers the failure. */
const createQueues = (backend: Backend) => {
  const queues = new Map<WorkKind, AnyQueue>();
  const get = async (kind: WorkKind): Promise<AnyQueue> => {
    await backend.whenReady();
    const queue = queues.get(kind) ?? backend.openQueue(kind);
    queues.set(kind, queue);
    try {
      await queue.waitUntilReady();
    } catch (error) {
      if (queues.get(kind) === queue) queues.delete(kind);
      await queue.disconnect().catch(() => undefined);
      throw error;
    }
    return queue;
  };
  return { get, all: (): AnyQueue[] => [...queues.values()] };
};

/** Calls BullMQ. @throws QueueUnavailable if the call fails or takes too long */
const call = async <T>(step: () => Promise<T>): Promise<T> => {
  try {
    return await within(ANSWER_MS, step());
  } catch (error) {
    throw new QueueUnavailable('The work queue is not available.', { cause: withoutProperties(error) });
  }
};

/** Jobs of one kind in parts of a limited size, in their order. */
const partsOf = function* (jobs: readonly Job[]): Generator<readonly [WorkKind, readonly Job[]]> {
  for (const kind of WORK_KINDS) {
    const ofKind = jobs.filter((job) => job.kind === kind);
    for (let start = 0; start < ofKind.length; start += JOBS_PER_COMMAND) {
      yield [kind, ofKind.slice(start, start + JOBS_PER_COMMAND)];
    }
  }
};

/** Work queue on BullMQ. It retries nothing: the task records decide which work is repeated. */
export const createBullMqQueue = (backend: Backend, log: Log, report: ReportError): WorkQueue => {
  const queues = createQueues(backend);
  const consumers = new Set<EndableConsumer>();

  const addPart = async (kind: WorkKind, jobs: readonly Job[]): Promise<void> => {
    const entries = jobs.map((job) => ({
      name: kind,
      data: { taskId: job.taskId, isUrgent: job.isUrgent },
      opts: jobOptions(job),
    }));
    await call(async () => (await queues.get(kind)).addBulk(entries));
  };
  const length = (kind: WorkKind): Promise<QueueLength> =>
    call(async () => {
      const counts = await (await queues.get(kind)).getJobCounts('wait', 'prioritized', 'active');
      const { wait = 0, prioritized = 0, active = 0 } = counts;
      return { waiting: wait + prioritized, active };
    });

  return {
    add: async (jobs) => {
      checkIds(jobs);
      for (const [kind, part] of partsOf(jobs)) await addPart(kind, part);
    },
    consume: (kind, slots, handle) => {
      const consumer = consumeByBullMq({ backend, kind, slots, handle, log, report });
      consumers.add(consumer);
      const stop = async (): Promise<void> => {
        await consumer.stop();
        consumers.delete(consumer);
      };
      return { stop };
    },
    length,
    isAvailable: () =>
      call(async () => backend.probe(await queues.get('images'))).then(
        () => true,
        () => false,
      ),
    close: async () => {
      const ends = [
        ...[...consumers].map((consumer) => consumer.abandon()),
        ...queues.all().map((queue) => within(ANSWER_MS, queue.close()).catch(report)),
      ];
      await Promise.all(ends);
      backend.cut();
    },
  };
};
