import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port';

const START_MS = 20_000;
const BIN = '/usr/lib/postgresql/15/bin';

export interface PostgresServer {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export const findPostgres = (): string | undefined => (existsSync(join(BIN, 'postgres')) ? BIN : undefined);

export const startPostgres = async (bin: string): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-postgres-'));
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  chownSync(folder, uid!, gid!);
  const as = process.getuid?.() === 0 ? { uid: uid!, gid: gid! } : {};
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'], {
    ...as,
    stdio: 'ignore',
    cwd: folder,
  });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const args = [
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      folder,
      '-c',
      'fsync=off',
      '-c',
      'listen_addresses=127.0.0.1',
    ];
    child = spawn(join(bin, 'postgres'), args, { ...as, stdio: 'ignore', cwd: folder });
    for (const endMs = Date.now() + START_MS; Date.now() < endMs; await delay(50)) {
      const client = new pg.Client(url);
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch {
        // not yet
      }
    }
    throw new Error('PostgreSQL does not start');
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  await start();
  return {
    url,
    start,
    kill: () => end('SIGKILL'),
    remove: async () => {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
