import { createMemoryTaskStore } from './memory-task-store';
import { describeFilesInDoubt, describeTaskStore } from './task-store-contract';

describeTaskStore('task store in memory', async () => createMemoryTaskStore());
describeFilesInDoubt('task store in memory', async () => createMemoryTaskStore());
