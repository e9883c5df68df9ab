import { createMetrics, type TaskCounts } from '../adapters/metrics';
import type { AppParts } from '../app';

/** Probes and metrics of a server that is ready and has no tasks. */
export const fakeWatch = (
  changes: Partial<AppParts['watch']> = {},
  counts: TaskCounts = {},
): AppParts['watch'] => ({
  phase: () => 'ready',
  engineAnswers: () => true,
  checkStore: async () => undefined,
  metrics: createMetrics(async () => counts),
  version: '1.2.3',
  access: undefined,
  logNames: false,
  ...changes,
});
