import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { TASK_STATUSES, type TaskStatus } from '#shared/domain/task';

/** An answered request. `route` is a template, never a path with ids. */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Metrics for Prometheus. */
export interface Metrics {
  countRequest(request: AnsweredRequest): void;
  /** @param timings milliseconds by step, as in `ImageResult` */
  countStages(timings: Readonly<Record<string, number>>): void;
  /** The metrics in the Prometheus text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Number of tasks by state; states without tasks may be missing. */
export type TaskCounts = Readonly<Partial<Record<TaskStatus, number>>>;

/** Steps that are used as labels. A fixed list, because each label is a series and must not depend on files. */
const STAGES: readonly string[] = ['decode', 'detect', 'segment', 'redact', 'encode', 'masks'];
const OTHER_STAGE = 'other';
const STAGE_BUCKETS_S = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const REQUEST_BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * One read serves all gauges of a scrape. While it fails, these gauges are missing, and all other metrics are not.
 *
 * @returns a function that resolves with undefined if `read` rejects
 */
export const readOnce = <T>(read: () => Promise<T>): (() => Promise<T | undefined>) => {
  let reading: Promise<T | undefined> | undefined;
  return () =>
    (reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined)));
};

const createTaskGauges = (registry: Registry, countTasks: () => Promise<TaskCounts>): void => {
  const registers = [registry];
  const read = readOnce(countTasks);
  new Gauge({
    name: 'veil_queue_length',
    help: 'Tasks that wait.',
    registers,
    async collect() {
      const counts = await read();
      if (counts) this.set(counts.queued ?? 0);
      else this.remove();
    },
  });
  new Gauge({
    name: 'veil_tasks',
    help: 'Number of tasks by state.',
    labelNames: ['state'],
    registers,
    // Counted on request from the records, so that no second count can differ from them.
    async collect() {
      const counts = await read();
      if (!counts) return this.reset();
      for (const state of TASK_STATUSES) this.set({ state }, counts[state] ?? 0);
    },
  });
};

/**
 * Metrics in a registry of their own, so that two servers in one process count separately.
 *
 * @param addMore adds metrics that only some processes have
 */
export const createMetrics = (
  countTasks: () => Promise<TaskCounts>,
  addMore: (registry: Registry) => void = () => undefined,
): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  createTaskGauges(registry, countTasks);
  addMore(registry);
  const requests = new Counter({
    name: 'veil_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'veil_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['route'],
    buckets: REQUEST_BUCKETS_S,
    registers,
  });
  const stages = new Histogram({
    name: 'veil_stage_duration_seconds',
    help: 'Time that one file spent in a processing stage.',
    labelNames: ['stage'],
    buckets: STAGE_BUCKETS_S,
    registers,
  });
  return {
    countRequest: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status });
      durations.observe({ route }, seconds);
    },
    countStages: (timings) => {
      for (const [step, ms] of Object.entries(timings)) {
        stages.observe({ stage: STAGES.includes(step) ? step : OTHER_STAGE }, ms / 1000);
      }
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};
