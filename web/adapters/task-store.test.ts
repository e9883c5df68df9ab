import { describeTaskStore } from '#shared/testing/task-store-contract';
import { createTaskStore } from './task-store';

describeTaskStore('task store of the page', async () => createTaskStore());
