import { once } from 'node:events';
import { StoreUnavailable } from '#shared/tasks/base/job-store';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCertificates, type Certificates } from '../../testing/services/certificates';
import { accept, openStore, startServerForFile } from '../../testing/services/postgres-stores';
import { connect } from './connect';

const folder = mkdtempSync(join(tmpdir(), 'veil-certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const certificatesIn = (name: string): Certificates => {
  mkdirSync(join(folder, name));
  return createCertificates(join(folder, name));
};
const own = certificatesIn('own');
const other = certificatesIn('other');
/** An address that the certificate does not name. */
const UNNAMED = '127.0.0.2';

const server = await startServerForFile({
  settings: {
    ...{ ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' },
    listen_addresses: `127.0.0.1,${UNNAMED}`,
  },
  prepare: (dataFolder, giveToServer) => {
    for (const file of [own.certificate, own.key]) {
      const copy = join(dataFolder, file === own.key ? 'server.key' : 'server.crt');
      copyFileSync(file, copy);
      giveToServer(copy);
    }
  },
});

describe.skipIf(!server)('TLS to the database, configured by its URL', () => {
  const secureUrl = async (host: string, rootFile: string): Promise<string> => {
    const url = new URL(await server!.createDatabase());
    url.hostname = host;
    url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: rootFile }).toString();
    return url.href;
  };

  it('connects to a server with a certificate of the named authority', async () => {
    await accept(await openStore(await secureUrl('localhost', own.ca)), 'one');
  });

  it.each([
    ['of another authority', 'localhost', other.ca, 'is not trusted'],
    ['for another host', UNNAMED, own.ca, 'is not trusted'],
    ['without its file', 'localhost', join(folder, 'missing'), 'cannot be read'],
  ])('refuses a certificate %s in one sentence', async (_case, host, rootFile, sentence) => {
    await expect(openStore(await secureUrl(host, rootFile))).rejects.toThrow(sentence);
  });
});

describe('a database that does not answer', () => {
  it('causes an error after the time limit', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    onTestFinished(() => {
      sockets.forEach((socket) => socket.destroy());
      silent.close();
    });
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const database = connect(`postgres://u@127.0.0.1:${port}/d`, 1, { connectMs: 200, statementMs: 200 });
    await expect(database.query('SELECT 1')).rejects.toThrow(StoreUnavailable);
    await database.close();
  });

  it.skipIf(!server)('while it runs a statement causes an error after the time limit', async () => {
    const database = connect(await server!.createDatabase(), 1, { connectMs: 5_000, statementMs: 200 });
    await expect(database.query('SELECT pg_sleep(5)')).rejects.toThrow(StoreUnavailable);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });
});
