import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runSql } from '../../testing/services/postgres';
import {
  FINISHED,
  accept,
  claimed,
  openStore,
  startServerForFile,
} from '../../testing/services/postgres-stores';
import { connect, type Database } from './connect';

const server = await startServerForFile();

/** For hangs alone: commits wait for as long as a test lets them. */
const LIMITS = { connectMs: 60_000, statementMs: 60_000 };
const until = (isReached: () => unknown): Promise<unknown> => vi.waitUntil(isReached, { timeout: 60_000 });

const open = (url: string): Database => {
  const database = connect(url, 2, LIMITS);
  onTestFinished(() => database.close());
  return database;
};

/** Lets commits wait as for a slow disk: for the answer of a copy of the database that does not exist. */
const holdCommits = async (url: string) => {
  const set = async (copies: string): Promise<void> => {
    await runSql(url, `ALTER SYSTEM SET synchronous_standby_names = '${copies}'`);
    await runSql(url, 'SELECT pg_reload_conf()');
  };
  const database = open(url);
  await set('nowhere');
  const release = (): Promise<void> => set('');
  onTestFinished(release);
  const areWaiting = (commits: number): Promise<unknown> =>
    until(async () => {
      const waiting = await database.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
      return waiting.length === commits;
    });
  // The setting takes effect some time later. From the first commit that waits on, all do.
  let commits = 0;
  await until(() => {
    const isCommitted = runSql(url, `CREATE TABLE held_${(commits += 1)} ()`).then(() => false);
    return Promise.race([isCommitted, areWaiting(1).then(() => true)]);
  });
  return { release, areWaiting: (others: number) => areWaiting(1 + others) };
};

describe.skipIf(!server)('while a commit waits for the disk', () => {
  it('other workers confirm their claims, and their progress is reported', async () => {
    const url = await server!.createDatabase();
    const options = { silentMs: 60_000, limits: LIMITS };
    const [store, other] = [await openStore(url, options), await openStore(url)];
    const reported = new Set<string>();
    other.onChange((id) => reported.add(id));
    await accept(store, 'one');
    await accept(store, 'two');
    const [one, two] = [await claimed(store, 'one'), await claimed(store, 'two')];
    await until(() => reported.size === 2);
    reported.clear();

    const { release, areWaiting } = await holdCommits(url);
    const completing = store.complete(one, [FINISHED], [one.token]);
    await areWaiting(1);
    expect(await store.heartbeat(two, [])).toBe(true);
    expect(await store.heartbeat(two, [{ type: 'progressed', progress: 0.5 }])).toBe(true);
    await until(() => reported.has('two'));
    expect(reported.has('one')).toBe(false);

    await release();
    expect(await completing).toEqual({ next: undefined });
    await until(() => reported.has('one'));
  });
});

describe.skipIf(!server)('a transaction', () => {
  it('stays although its report cannot be sent', async () => {
    const url = await server!.createDatabase();
    const database = open(url);
    await database.transaction(async (sql) => {
      await sql.query('CREATE TABLE changes ()');
      sql.report('too long'.repeat(10_000));
    });
    expect(await database.query('SELECT count(*)::int AS rows FROM changes')).toEqual([{ rows: 0 }]);
  });
});
