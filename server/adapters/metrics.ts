import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { TASK_STATUSES, type TaskStatus } from '#shared/domain/task';

/** An answered request; `route` is a template, never an address with ids in it. */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The metrics for Prometheus. */
export interface Metrics {
  countRequest(request: AnsweredRequest): void;
  /** @param timings milliseconds by step, as in `ImageResult` */
  countStages(timings: Readonly<Record<string, number>>): void;
  /** In the text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** By how many tasks there are of each state; states without any may be missing. */
export type TaskCounts = Readonly<Partial<Record<TaskStatus, number>>>;

/** The pipeline's steps: every label has its own series, so that none is made of what a file holds. */
const STAGES: readonly string[] = ['decode', 'detect', 'segment', 'redact', 'encode', 'masks'];
const OTHER_STAGE = 'other';
const STAGE_BUCKETS_S = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const REQUEST_BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const createTaskGauges = (registry: Registry, countTasks: () => Promise<TaskCounts>): void => {
  const registers = [registry];
  new Gauge({
    name: 'veil_queue_length',
    help: 'Tasks that wait.',
    registers,
    async collect() {
      this.set((await countTasks()).queued ?? 0);
    },
  });
  new Gauge({
    name: 'veil_tasks',
    help: 'Number of tasks by state.',
    labelNames: ['state'],
    registers,
    // Counted when asked for: there is no second account that could differ from the records.
    async collect() {
      const counts = await countTasks();
      for (const state of TASK_STATUSES) this.set({ state }, counts[state] ?? 0);
    },
  });
};

/** Metrics in a registry of their own: two servers in one process count apart. */
export const createMetrics = (countTasks: () => Promise<TaskCounts>): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  createTaskGauges(registry, countTasks);
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
