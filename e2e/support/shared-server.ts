import { rmSync } from 'node:fs';
import { STANDARD_HOST } from '#shared/testing/conformance';
import { SERVER_LOGS } from '../run/reports';
import { flagsFor } from './host-flags';
import { startServer } from './start-server';
import { createTinyProduct, startTinyServer } from './tiny-product';

/**
 * Starts the two servers that tests share, before the first of them: one of the product as it is built, one of the same
 * with tiny models.
 *
 * Not Playwright's `webServer`: their addresses would be chosen while the configuration is loaded, and their logs would be
 * part of the tests' output. Workers read the addresses from the environment, which they inherit.
 *
 * @returns what stops the servers after the last test
 */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  rmSync(SERVER_LOGS, { recursive: true, force: true });
  const flags = flagsFor(STANDARD_HOST);
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
