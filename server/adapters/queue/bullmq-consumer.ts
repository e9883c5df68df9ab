import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#shared/ports/system';
import type { Job, WorkKind } from '#shared/tasks/base/job-store';
import type { Consumer } from '../../cluster/work-queue';
import type { Backend, ConnectedWorker, TakenJob } from './bullmq-backend';
import type { ReportError } from './queue-log';
import { within } from './within';

/** Pause before a worker is created again that could not be prepared. */
const REOPEN_MS = 1000;
/** Limit for each step of ending a worker. */
const END_MS = 3000;

/** A consumer that can also be ended without waiting for its handlers. */
export interface EndableConsumer extends Consumer {
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
export const consumeByBullMq = (options: Options): EndableConsumer => {
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
