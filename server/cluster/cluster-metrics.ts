import { Counter, Gauge, type Registry } from 'prom-client';
import type { ClaimOutcome } from '#shared/tasks/jobs/run-claim';
import { createMetrics, readOnce, type Metrics } from '../adapters/metrics';
import type { SharedTaskStore, WorkCounts } from './shared-task-store';

/** A service is unavailable if it does not answer within this time: shorter than the limit of a scrape, 10 s. */
const MAX_ANSWER_MS = 5_000;

const WORK_GAUGES = [
  {
    name: 'veil_work_waiting',
    help: 'Tasks and edits that wait for a worker.',
    of: ({ waiting }) => waiting,
  },
  { name: 'veil_work_active', help: 'Tasks and edits that workers process now.', of: ({ active }) => active },
  {
    name: 'veil_queue_oldest_seconds',
    help: 'Time for which the oldest waiting task has waited.',
    of: ({ oldestWaitingMs }) => oldestWaitingMs / 1000,
  },
  {
    name: 'veil_work_attempts',
    help: 'Attempts to process the stored tasks.',
    of: ({ attempts }) => attempts,
  },
  {
    name: 'veil_work_lost_heartbeats',
    help: 'Attempts that ended because their worker was silent.',
    of: ({ lostHeartbeats }) => lostHeartbeats,
  },
] as const satisfies readonly { name: string; help: string; of: (work: WorkCounts) => number }[];

/** How attempts end, for the series of a process that has not had each of them yet. */
const OUTCOMES: readonly ClaimOutcome[] = ['completed', 'lost', 'put-off', 'files-unavailable'];

/** The services of a process, as far as metrics need them. Each function answers in its own time, or never. */
export interface MeasuredServices {
  readonly store: Pick<SharedTaskStore, 'countByStatus' | 'workCounts' | 'get'>;
  readonly queue: { isAvailable(): Promise<boolean> };
  readonly files: { isAvailable(): Promise<boolean> };
}

export interface ClusterMetrics extends Metrics {
  /** Counts an attempt of this worker that has ended. */
  countOutcome(outcome: ClaimOutcome): void;
}

const inTime = async (check: () => Promise<unknown>): Promise<boolean> => {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timeout = setTimeout(() => resolve(false), MAX_ANSWER_MS);
  });
  try {
    const answered = check().then(
      (answer) => answer !== false,
      () => false,
    );
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timeout);
  }
};

const addServiceGauge = (registry: Registry, { store, queue, files }: MeasuredServices): void => {
  const checks = {
    database: () => store.get('').then(() => true),
    queue: () => queue.isAvailable(),
    files: () => files.isAvailable(),
  };
  new Gauge({
    name: 'veil_service_available',
    help: '1 if this process can use the service, 0 if not.',
    labelNames: ['service'],
    registers: [registry],
    async collect() {
      await Promise.all(
        Object.entries(checks).map(async ([service, check]) =>
          this.set({ service }, (await inTime(check)) ? 1 : 0),
        ),
      );
    },
  });
};

const addWorkGauges = (registry: Registry, store: MeasuredServices['store']): void => {
  const read = readOnce(() => store.workCounts());
  for (const { name, help, of } of WORK_GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const work = await read();
        if (work) this.set(of(work));
        else this.remove();
      },
    });
  }
};

/**
 * Metrics of a process of a cluster. All processes report the same numbers of tasks and work, which come from the
 * database; availability and outcomes are of this process.
 *
 * @param role workers also count how their attempts end
 */
export const createClusterMetrics = (services: MeasuredServices, role: 'api' | 'worker'): ClusterMetrics => {
  let outcomes: Counter<'outcome'> | undefined;
  const metrics = createMetrics(
    () => services.store.countByStatus(),
    (registry) => {
      addServiceGauge(registry, services);
      addWorkGauges(registry, services.store);
      if (role === 'api') return;
      outcomes = new Counter({
        name: 'veil_attempts_total',
        help: 'Attempts of this worker that have ended.',
        labelNames: ['outcome'],
        registers: [registry],
      });
      for (const outcome of OUTCOMES) outcomes.inc({ outcome }, 0);
    },
  );
  return { ...metrics, countOutcome: (outcome) => outcomes?.inc({ outcome }) };
};
