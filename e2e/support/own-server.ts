import { STANDARD_HOST } from '#shared/testing/conformance';
import { flagsFor } from './host-flags';
import { test as base } from './hosts';
import { startTinyServer } from './tiny-product';

/** Tests whose worker has a server of its own, with tiny models: some look at all of its tasks, or remove them. */
export const test = base.extend<object, { origin: string }>({
  origin: [
    async ({}, use) => {
      const server = await startTinyServer(flagsFor(STANDARD_HOST));
      await use(server.origin);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
