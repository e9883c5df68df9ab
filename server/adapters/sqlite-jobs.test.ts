import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { describeJobs } from '#shared/testing/job-contract';
import { createLocalJobDisk } from '#shared/testing/local-job-disk';
import { keysIn } from '../testing/keys-in';
import { temporaryFolder } from '../testing/temporary-folder';
import { createFolder, createStorage } from './storage';
import { openTaskStore } from './task-store';

describeJobs('in SQLite', async () => {
  const folder = temporaryFolder();
  const folders = { input: join(folder, 'input'), output: join(folder, 'output') };
  await createFolder(folders.output);
  const store = await openTaskStore(folders.output);
  onTestFinished(() => store.close());
  return createLocalJobDisk(createStorage(folders), store, () => keysIn(folders));
});
