import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { WorkQueue } from '../../cluster/cluster-ports';
import { recordLog } from '../../testing/recorded-log';
import { createCertificates, type Certificates } from '../../testing/services/certificates';
import { freePort } from '../../testing/services/free-port';
import { findRedis, startRedis, type RedisServer } from '../../testing/services/redis';
import { startHangingProcess } from '../../testing/services/start-hanging-process';
import { jobOf } from '../../testing/work-queue-contract';
import { openQueue } from './open-queue';

const program = await findRedis();

describe.skipIf(program === undefined)('work queue on Redis with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-tls-'));
  let [files, redis, port]: [Certificates?, RedisServer?, number?] = [];
  const { log, lines } = recordLog();
  const open = async (host: string, query = ''): Promise<WorkQueue> => {
    const queue = await openQueue(`rediss://${host}:${port}${query}`, { log });
    onTestFinished(() => queue.close());
    return queue;
  };

  beforeAll(async () => {
    files = createCertificates(folder);
    port = await freePort();
    const { ca, key, certificate } = files;
    const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', ca];
    redis = await startRedis(program!, {
      args: ['--tls-port', String(port), ...tls, '--tls-auth-clients', 'no'],
    });
  });
  afterAll(async () => {
    await redis?.remove();
    rmSync(folder, { recursive: true });
  });

  it('trusts the authority in the file of the parameter ca', async () => {
    for (const host of ['localhost', '127.0.0.1']) {
      const queue = await open(host, `?ca=${encodeURIComponent(files!.ca)}`);
      expect(await queue.isAvailable()).toBe(true);
    }
  });

  it('trusts the authority in the file of NODE_EXTRA_CA_CERTS', async () => {
    const url = `rediss://localhost:${port}`;
    const hanging = startHangingProcess(url, 'tls', 5000, { NODE_EXTRA_CA_CERTS: files!.ca });
    onTestFinished(hanging.kill);
    const queue = await openQueue(`${url}?ca=${encodeURIComponent(files!.ca)}`, { log, namespace: 'tls' });
    onTestFinished(() => queue.close());
    await queue.add([jobOf('one')]);
    expect(await hanging.taken).toBe('one');
  });

  it('refuses a server of an unknown authority or with another name, and logs the reason', async () => {
    const queue = await open('localhost');
    expect(await queue.isAvailable()).toBe(false);
    expect(lines.join('\n')).toMatch(/certificate/);
    const other = await open('127.0.0.2', `?ca=${encodeURIComponent(files!.ca)}`);
    expect(await other.isAvailable()).toBe(false);
  });
});
