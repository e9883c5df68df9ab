import { rmSync } from 'node:fs';
import { STANDARD_HOST } from '#shared/testing/conformance';
import { SERVER_LOGS } from '../run/reports';
import { flagsFor } from './host-flags';
import { startServer } from './start-server';
import { createTinyProduct, startTinyServer } from './tiny-product';

/**
 * Starts the two servers that tests share, before the first test: one of the built product, and one of the same product
 * with tiny models.
 *
 * Playwright's `webServer` is not used: the addresses would have to be chosen when the configuration is loaded, and the
 * logs would be part of the test output. Workers read the addresses from the environment, which they inherit.
 *
 * @returns a function that stops the servers after the last test
 */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  rmSync(SERVER_LOGS, { recursive: true, force: true });
  // Files of other tests may be processed at the same time.
  const flags = flagsFor({ ...STANDARD_HOST, syncWhenBusy: 'queue' });
  const server = await startServer(flags);
  await createTinyProduct();
  const tiny = await startTinyServer(flags);
  process.env['VEIL_E2E_ORIGIN'] = server.origin;
  process.env['VEIL_E2E_TINY_ORIGIN'] = tiny.origin;
  return async () => {
    await server.stop();
    await tiny.stop();
  };
}
