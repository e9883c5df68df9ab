import type { WorkQueue } from '../cluster/cluster-ports';
import { createMemoryWorkQueue } from './memory-work-queue';
import { describeWorkQueue } from './work-queue-contract';

let queue: WorkQueue;
describeWorkQueue('work queue in memory', {
  open: async () => (queue = createMemoryWorkQueue()),
  connect: async () => queue,
});
