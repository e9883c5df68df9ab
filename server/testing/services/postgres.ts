import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { madeOnce } from '../made-once';
import { freePort } from './free-port';
import { findService } from './install';

/** A private PostgreSQL server. */
export interface PostgresServer {
  /** Creates an empty database. @returns its URL, as superuser */
  createDatabase(): Promise<string>;
  /** Kills the server without warning. Its data survive. */
  kill(): Promise<void>;
  /** Starts a killed server again. */
  restart(): Promise<void>;
  /** Ends the server and deletes its data. */
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Settings of the server, such as `ssl: 'on'`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Writes to the disk as in production; otherwise only a crash of the machine, not of the server, loses data. */
  readonly isDurable?: boolean;
  /** Adds files to the data folder before the start. `own` makes one readable for the server only. */
  readonly prepare?: (dataFolder: string, own: (path: string) => void) => void;
}

const START_MS = 20_000;
const RETRY_MS = 100;
const USER = 'postgres';

/** The server refuses to run as root. */
const serverUser = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, USER], { encoding: 'utf8' }).stdout.trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Processes of a server, each of which serves a connection. None where the system does not tell. */
const processesOf = (server: ChildProcess): readonly number[] => {
  try {
    const pids = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
    return (pids.match(/\d+/g) ?? []).map(Number);
  } catch {
    return [];
  }
};

const killIfRunning = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** Runs a statement on a connection of its own. */
export const runSql = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const isUp = (url: string): Promise<boolean> =>
  runSql(url, 'SELECT 1').then(
    () => true,
    () => false,
  );

/** The folder of PostgreSQL's programs; undefined if they are not there: tests are then skipped. */
export const findPostgres = async (): Promise<string | undefined> => {
  const path = await findService({
    service: 'PostgreSQL',
    program: 'initdb',
    aptPackage: 'postgresql',
    folders: ['/usr/lib/postgresql/*/bin'],
  });
  return path && dirname(path);
};

/** Fills an empty data folder. */
const initialise = (programs: string, folder: string): void => {
  const created = spawnSync(
    join(programs, 'initdb'),
    ['-D', folder, '-U', USER, '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    { ...serverUser(), cwd: folder, encoding: 'utf8' },
  );
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`);
};

/** Copies a data folder with its owner, in a seventh of the time of `initdb`. */
const copyFolder = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-a', `${from}/.`, to]);
};

/** @param programs from {@link findPostgres} */
export const startPostgres = async (
  programs: string,
  { settings = {}, isDurable = false, prepare }: PostgresServerOptions = {},
): Promise<PostgresServer> => {
  const user = serverUser();
  const own = (path: string): void => {
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
    chmodSync(path, 0o700);
  };
  const folder = mkdtempSync(join(tmpdir(), 'veil-postgres-'));
  own(folder);
  const template = await madeOnce('postgres', (made) => {
    initialise(programs, folder);
    copyFolder(folder, made);
  });
  if (template === undefined) initialise(programs, folder);
  // The first file of a run has initialised its own.
  else if (readdirSync(folder).length === 0) copyFolder(template, folder);
  prepare?.(folder, own);
  const port = await freePort();
  const url = (database: string): string => `postgres://${USER}@127.0.0.1:${port}/${database}`;
  const all = {
    ...{ port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' },
    ...(isDurable ? {} : { fsync: 'off' }),
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  let server: ChildProcess;
  const start = async (): Promise<void> => {
    for (const endMs = performance.now() + START_MS; performance.now() < endMs;) {
      server = spawn(join(programs, 'postgres'), ['-D', folder, ...flags], {
        ...user,
        cwd: folder,
        stdio: 'ignore',
      });
      // It ends at once while processes of a killed server still exist.
      while (server.exitCode === null && performance.now() < endMs) {
        if (await isUp(url('postgres'))) return;
        await sleep(RETRY_MS);
      }
    }
    throw new Error('PostgreSQL did not start.');
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const killAtExit = (): void => void server.kill('SIGKILL');
  process.once('exit', killAtExit);
  await start();
  return {
    createDatabase: async () => {
      const name = `veil_${randomUUID().replaceAll('-', '')}`;
      await runSql(url('postgres'), `CREATE DATABASE ${name}`);
      return url(name);
    },
    kill: async () => {
      // They would notice the end of the server, but answer until then.
      const processes = processesOf(server);
      await end('SIGKILL');
      for (const pid of processes) killIfRunning(pid);
    },
    restart: start,
    stop: async () => {
      process.off('exit', killAtExit);
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
