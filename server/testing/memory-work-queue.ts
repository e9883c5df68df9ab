import type { Consumer, WorkQueue } from '../cluster/cluster-ports';
import type { Job, WorkKind } from '#shared/tasks/base/job-store';

interface Waiting {
  readonly slots: number;
  readonly handle: (job: Job) => Promise<void>;
  readonly running: Set<Promise<void>>;
}

/** A work queue in the memory of one process. */
export const createMemoryWorkQueue = (): WorkQueue => {
  const waiting: Record<WorkKind, Job[]> = { images: [], videos: [], segments: [] };
  const active: Record<WorkKind, Set<string>> = {
    images: new Set(),
    videos: new Set(),
    segments: new Set(),
  };
  const consumers: Record<WorkKind, Set<Waiting>> = {
    images: new Set(),
    videos: new Set(),
    segments: new Set(),
  };

  const run = async (job: Job, { handle }: Waiting): Promise<void> => {
    active[job.kind].add(job.id);
    await Promise.resolve(job)
      .then(handle)
      .catch(() => undefined);
    active[job.kind].delete(job.id);
  };
  const distribute = (kind: WorkKind): void => {
    for (const consumer of consumers[kind]) {
      while (consumer.running.size < consumer.slots) {
        const job = waiting[kind].shift();
        if (!job) return;
        const work = run(job, consumer).then(() => {
          consumer.running.delete(work);
          distribute(kind);
        });
        consumer.running.add(work);
      }
    }
  };
  const addOne = (job: Job): void => {
    const { id, kind, isUrgent } = job;
    if (active[kind].has(id) || waiting[kind].some((each) => each.id === id)) return;
    const firstNotUrgent = waiting[kind].findIndex((each) => !each.isUrgent);
    const place = isUrgent && firstNotUrgent >= 0 ? firstNotUrgent : waiting[kind].length;
    waiting[kind].splice(place, 0, job);
  };

  return {
    add: async (jobs) => {
      jobs.forEach(addOne);
      for (const kind of new Set(jobs.map((job) => job.kind))) distribute(kind);
    },
    consume: (kind, slots, handle): Consumer => {
      const consumer: Waiting = { slots, handle, running: new Set() };
      consumers[kind].add(consumer);
      distribute(kind);
      const stop = async (): Promise<void> => {
        consumers[kind].delete(consumer);
        await Promise.all(consumer.running);
      };
      return { stop };
    },
    length: async (kind) => ({ waiting: waiting[kind].length, active: active[kind].size }),
    isAvailable: async () => true,
    close: async () => {
      for (const each of Object.values(consumers)) each.clear();
    },
  };
};
