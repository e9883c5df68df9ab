import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ConformanceCase, type HostNeeds, STANDARD_HOST } from '#shared/testing/conformance';
import { CONFORMANCE_CASES } from '#shared/testing/conformance-cases';
import { SCOPE_CASES, SCOPE_TOKENS } from '#shared/testing/conformance-scopes';
import { type BuiltProgram, buildProgram } from '../server/testing/built-program';
import { type RunningServer, startServerIn } from '../server/testing/running-server';
import { flagsFor } from './support/host-flags';
import { sendByHttp } from './support/send';
import { writeTinySet } from './support/tiny-set';

const FOLDER = mkdtempSync(join(tmpdir(), 'veil-conformance-'));

let program: BuiltProgram;
beforeAll(async () => {
  const models = join(FOLDER, 'models');
  writeTinySet(models);
  program = await buildProgram(models);
});

const start = (index: number, needs: HostNeeds): Promise<RunningServer> =>
  startServerIn(join(FOLDER, String(index)), program, ...flagsFor(needs));

/** Servers by their settings, kept for the next case with the same settings. */
const running = new Map<string, Promise<RunningServer>>();
const serverFor = (needs: ConformanceCase['host']): Promise<RunningServer> => {
  const key = JSON.stringify(needs ?? {});
  const server = running.get(key) ?? start(running.size, { ...STANDARD_HOST, ...needs });
  running.set(key, server);
  return server;
};
afterAll(async () => {
  for (const server of running.values()) {
    const { child, ended } = await server;
    child.kill('SIGKILL');
    await ended;
  }
  program.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

describe('with tokens', () => {
  const tokens = SCOPE_TOKENS.map(({ token, scopes }) => `${scopes.join(',')} ${token}`).join(';');
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServerIn(join(FOLDER, 'tokens'), program, '--tokens', tokens);
  });
  afterAll(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  for (const { rule, run } of SCOPE_CASES) it(rule, async () => run(sendByHttp(server.origin)));
});

// The page's half needs a browser: `conformance.spec.ts`.
for (const { rule, host, run } of CONFORMANCE_CASES) {
  it(rule, async () => run(sendByHttp((await serverFor(host)).origin)));
}
