import { describeTaskStore } from '../../testing/task-store-contract';
import { createMemoryTaskStore } from './arrivals';

describeTaskStore('task store in memory', async () => createMemoryTaskStore());
