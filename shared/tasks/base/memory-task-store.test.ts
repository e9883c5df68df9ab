import { describeTaskStore } from '../../testing/task-store-contract';
import { createMemoryTaskStore } from './memory-task-store';

describeTaskStore('task store in memory', async () => createMemoryTaskStore());
