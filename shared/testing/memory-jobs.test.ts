import { describeJobs } from './job-contract';
import { createLocalJobDisk } from './local-job-disk';
import { createMemoryStorage } from './memory-storage';
import { createMemoryTaskStore } from './memory-task-store';

describeJobs('in memory', async () => {
  const storage = createMemoryStorage();
  return createLocalJobDisk(storage, createMemoryTaskStore(), async () => storage.keys());
});
