import { describeTaskStore } from '../../testing/task-store-contract';
import { createMemoryTaskStore } from './task-records';

describeTaskStore('task store in memory', async () => createMemoryTaskStore());
