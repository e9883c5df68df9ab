import { describeStorage } from '#shared/testing/storage-contract';
import { createStorage } from './storage';

describeStorage('storage in the page', async () => createStorage());
