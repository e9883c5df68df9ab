import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '#shared/tasks/base/job-store';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkQueue } from '../cluster/cluster-ports';

/** A process that takes one job of kind `images` and never finishes it. */
export interface HangingProcess {
  /** Resolves with the id of the job. */
  readonly taken: Promise<string>;
  /** Ends the process without a chance to return the job. */
  kill(): void;
}

/** How the contract opens the queue under test. */
export interface QueueUnderTest {
  /** Empties the queue and connects to it. Each call is a client of its own. */
  open(): Promise<WorkQueue>;
  /** Another client of the queue that `open` has emptied. */
  connect(): Promise<WorkQueue>;
  /** Undefined for a queue of one process. */
  readonly startHangingProcess?: () => HangingProcess;
}

export const jobOf = (id: string, changes: Partial<Job> = {}): Job => ({
  id,
  kind: 'images',
  taskId: `task-of-${id}`,
  isUrgent: false,
  ...changes,
});

export const idsOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

const WAIT = { timeout: 10_000, interval: 20 };

/** A promise that is resolved from outside. */
export const gate = <T = void>(): { open: (value: T) => void; opened: Promise<T> } => {
  let open = (_value: T): void => undefined;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { open, opened };
};

/** Tests that every work queue must pass. */
export const describeWorkQueue = (name: string, under: QueueUnderTest): void => {
  describe(name, () => {
    const queues: WorkQueue[] = [];
    const open = async (): Promise<WorkQueue> => {
      const queue = await under.open();
      queues.push(queue);
      return queue;
    };
    const connect = async (): Promise<WorkQueue> => {
      const queue = await under.connect();
      queues.push(queue);
      return queue;
    };
    afterEach(async () => {
      await Promise.all(queues.splice(0).map((queue) => queue.close()));
    });

    it('gives each job, with all fields, to exactly one of two consumers', async () => {
      const [queue, other] = [await open(), await connect()];
      const taken: Job[] = [];
      const take = async (job: Job): Promise<void> => void taken.push(job);
      queue.consume('images', 2, take);
      other.consume('images', 2, take);
      const jobs = idsOf('job', 40).map((id) => jobOf(id));
      await queue.add(jobs);
      await vi.waitFor(() => expect(taken.length).toBeGreaterThanOrEqual(jobs.length), WAIT);
      await delay(100);
      expect(taken.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
        jobs.toSorted((a, b) => a.id.localeCompare(b.id)),
      );
    });

    it('gives urgent jobs first, otherwise in the order in which they were added', async () => {
      const queue = await open();
      const taken: string[] = [];
      await queue.add([jobOf('a'), jobOf('b')]);
      await queue.add([jobOf('c', { isUrgent: true })]);
      await queue.add([jobOf('d'), jobOf('e', { isUrgent: true })]);
      queue.consume('images', 1, async ({ id }) => void taken.push(id));
      await vi.waitFor(() => expect(taken).toEqual(['c', 'e', 'a', 'b', 'd']), WAIT);
    });

    it('ignores a job whose id waits or runs, and accepts the id again after its end', async () => {
      const queue = await open();
      const taken: string[] = [];
      const { open: finish, opened } = gate();
      await queue.add([jobOf('one')]);
      await queue.add([jobOf('one'), jobOf('two')]);
      expect(await queue.length('images')).toEqual({ waiting: 2, active: 0 });
      const consumer = queue.consume('images', 1, async ({ id }) => {
        taken.push(id);
        await opened;
      });
      await vi.waitFor(() => expect(taken).toEqual(['one']), WAIT);
      await queue.add([jobOf('one')]);
      finish();
      await vi.waitFor(() => expect(taken).toEqual(['one', 'two']), WAIT);
      await vi.waitFor(async () => expect((await queue.length('images')).active).toBe(0), WAIT);
      await queue.add([jobOf('one')]);
      await vi.waitFor(() => expect(taken).toEqual(['one', 'two', 'one']), WAIT);
      await consumer.stop();
    });

    it('continues after a handler that rejects, and keeps nothing of its job', async () => {
      const queue = await open();
      const taken: string[] = [];
      queue.consume('images', 1, async ({ id }) => {
        taken.push(id);
        if (id === 'bad') throw new Error('the handler fails on purpose');
      });
      await queue.add([jobOf('bad'), jobOf('good')]);
      await vi.waitFor(() => expect(taken).toEqual(['bad', 'good']), WAIT);
      await vi.waitFor(async () => expect((await queue.length('images')).active).toBe(0), WAIT);
      await queue.add([jobOf('bad')]);
      await vi.waitFor(() => expect(taken).toEqual(['bad', 'good', 'bad']), WAIT);
    });

    it('runs at most as many handlers of a consumer at a time as it has slots, and that many', async () => {
      const queue = await open();
      let [running, maxRunning, done] = [0, 0, 0];
      queue.consume('images', 3, async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await delay(20);
        running -= 1;
        done += 1;
      });
      await queue.add(idsOf('job', 15).map((id) => jobOf(id)));
      await vi.waitFor(() => expect(done).toBe(15), WAIT);
      expect(maxRunning).toBe(3);
    });

    it('gives a consumer jobs of its kind only', async () => {
      const queue = await open();
      const taken: string[] = [];
      queue.consume('videos', 2, async ({ id, kind }) => void taken.push(`${kind} ${id}`));
      await queue.add([jobOf('same'), jobOf('same', { kind: 'videos' }), jobOf('c', { kind: 'segments' })]);
      await vi.waitFor(() => expect(taken).toEqual(['videos same']), WAIT);
      await delay(100);
      expect(taken).toEqual(['videos same']);
      expect(await queue.length('images')).toEqual({ waiting: 1, active: 0 });
      expect(await queue.length('segments')).toEqual({ waiting: 1, active: 0 });
    });

    it('counts waiting jobs, urgent ones included, and active jobs', async () => {
      const queue = await open();
      const { open: finish, opened } = gate();
      expect(await queue.length('images')).toEqual({ waiting: 0, active: 0 });
      const consumer = queue.consume('images', 2, () => opened);
      await queue.add(idsOf('job', 5).map((id, index) => jobOf(id, { isUrgent: index === 4 })));
      await vi.waitFor(
        async () => expect(await queue.length('images')).toEqual({ waiting: 3, active: 2 }),
        WAIT,
      );
      finish();
      await vi.waitFor(
        async () => expect(await queue.length('images')).toEqual({ waiting: 0, active: 0 }),
        WAIT,
      );
      await consumer.stop();
    });

    it('stops a consumer when its handlers have ended, and leaves other jobs to others', async () => {
      const [queue, other] = [await open(), await connect()];
      const { open: finish, opened } = gate();
      const [taken, later]: [string[], string[]] = [[], []];
      const consumer = queue.consume('images', 1, async ({ id }) => {
        taken.push(id);
        await opened;
      });
      await queue.add([jobOf('one'), jobOf('two')]);
      await vi.waitFor(() => expect(taken).toEqual(['one']), WAIT);
      let isStopped = false;
      const stopped = consumer.stop().then(() => (isStopped = true));
      await delay(150);
      expect(isStopped).toBe(false);
      finish();
      await stopped;
      expect(taken).toEqual(['one']);
      other.consume('images', 1, async ({ id }) => void later.push(id));
      await vi.waitFor(() => expect(later).toEqual(['two']), WAIT);
    });

    it('stops an idle consumer at once', async () => {
      const queue = await open();
      const taken: string[] = [];
      const consumer = queue.consume('images', 1, async ({ id }) => void taken.push(id));
      // It has opened its connection, however slow the machine is, and waits for another job.
      await queue.add([jobOf('one')]);
      await vi.waitFor(() => expect(taken).toEqual(['one']), WAIT);
      await delay(150);
      const start = performance.now();
      await consumer.stop();
      expect(performance.now() - start).toBeLessThan(2000);
    });

    it('is available, and closes without waiting for handlers', async () => {
      const queue = await open();
      expect(await queue.isAvailable()).toBe(true);
      let isTaken = false;
      queue.consume('images', 1, () => {
        isTaken = true;
        return new Promise(() => undefined);
      });
      await queue.add([jobOf('one')]);
      await vi.waitFor(() => expect(isTaken).toBe(true), WAIT);
      const start = performance.now();
      await queue.close();
      expect(performance.now() - start).toBeLessThan(2000);
    });

    it.skipIf(!under.startHangingProcess)(
      'gives the job of a killed process to another consumer',
      async () => {
        const queue = await open();
        const hanging = under.startHangingProcess!();
        onTestFinished(hanging.kill);
        await queue.add([jobOf('one')]);
        expect(await hanging.taken).toBe('one');
        const taken: string[] = [];
        queue.consume('images', 1, async ({ id }) => void taken.push(id));
        await delay(1000);
        // While the process lives, it keeps the job longer than the lock would last.
        expect(taken).toEqual([]);
        hanging.kill();
        await vi.waitFor(() => expect(taken).toEqual(['one']), WAIT);
      },
    );
  });
};
