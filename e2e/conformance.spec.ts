import { type ConformanceCase, STANDARD_HOST } from '#shared/testing/conformance';
import { CONFORMANCE_CASES } from '#shared/testing/conformance-cases';
import { flagsFor } from './support/host-flags';
import { HOSTS, test as base } from './support/hosts';
import { sendByHttp } from './support/send';
import type { RunningServer } from './support/start-server';
import { startTinyServer } from './support/tiny-product';

/** Servers of this file alone, as cases fill their queues: one for each need, kept for the next case with the same. */
const test = base.extend<object, { serverFor: (needs: ConformanceCase['host']) => Promise<RunningServer> }>({
  serverFor: [
    async ({}, use) => {
      const running = new Map<string, Promise<RunningServer>>();
      await use((needs) => {
        const key = JSON.stringify(needs);
        const server = running.get(key) ?? startTinyServer(flagsFor({ ...STANDARD_HOST, ...needs }));
        running.set(key, server);
        return server;
      });
      await Promise.all([...running.values()].map(async (server) => (await server).stop()));
    },
    { scope: 'worker' },
  ],
});

for (const host of HOSTS) {
  test.describe(host, () => {
    for (const { rule, host: needs, run } of CONFORMANCE_CASES) {
      // A page is started in one way only.
      if (needs && host === 'page') continue;
      test(rule, async ({ sendTo, serverFor }) => {
        await run(host === 'page' ? sendTo.page : sendByHttp((await serverFor(needs)).origin));
      });
    }
  });
}
