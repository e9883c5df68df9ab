import { createMemoryStorage } from './memory-storage';
import { describeStorage } from './storage-contract';

describeStorage('storage in memory', async () => createMemoryStorage());
