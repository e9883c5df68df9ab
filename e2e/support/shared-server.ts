import { rmSync } from 'node:fs';
import { STANDARD_HOST } from '#shared/testing/conformance';
import { SERVER_LOGS } from '../run/reports';
import { flagsFor } from './host-flags';
import { startServer } from './start-server';

/**
 * Starts the server that all tests share, before the first of them.
 *
 * Not Playwright's `webServer`: its address would be chosen while the configuration is loaded, and its log would be part
 * of the tests' output. Workers read the address from the environment, which they inherit.
 *
 * @returns what stops the server after the last test
 */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  rmSync(SERVER_LOGS, { recursive: true, force: true });
  const { origin, stop } = await startServer(flagsFor(STANDARD_HOST));
  process.env['VEIL_E2E_ORIGIN'] = origin;
  return stop;
}
