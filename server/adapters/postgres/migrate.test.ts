import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { newWebhook } from '#shared/domain/webhook';
import { allTasks } from '#shared/tasks/base/task-records';
import { StartProblem } from '../../cli/start-problem';
import { runSql } from '../../testing/services/postgres';
import {
  accept,
  APPLIED,
  claimed,
  FINISHED,
  openStore,
  SILENT_MS,
  startServerForFile,
  WANTED,
} from '../../testing/services/postgres-stores';
import { applyGrants, migrate } from './migrate';
import { MIGRATIONS, type Migrations } from './migrations';
import type { StoreRole } from './locked-task';

const server = await startServerForFile();

const asUser = (url: string, user: string): string => {
  const changed = new URL(url);
  changed.username = encodeURIComponent(user);
  return changed.href;
};
/** Adds a database user with a name that needs quotes. @returns its name */
const createUser = async (url: string): Promise<string> => {
  const name = `a "user" ${randomUUID()}`;
  await runSql(url, `CREATE ROLE ${pg.escapeIdentifier(name)} LOGIN`);
  return name;
};
/** A database with users of API processes and of workers. */
const createDatabase = async () => {
  const owner = await server!.createDatabase();
  await migrate(owner);
  const urlOf = async (role: StoreRole): Promise<string> => {
    const user = await createUser(owner);
    await applyGrants(owner, user, role);
    return asUser(owner, user);
  };
  return { api: await urlOf('api'), worker: await urlOf('worker') };
};

describe.skipIf(!server)('database users', () => {
  it('of API processes and workers do all that their processes need', async () => {
    const urls = await createDatabase();
    const api = await openStore(urls.api);
    const worker = await openStore(urls.worker, { role: 'worker' });
    const webhook = newWebhook({ url: 'https://receiver.example/', header: { name: 'x-key', value: 's' } });
    await accept(api, 'one', { webhook, idempotency: { key: 'k', request: 'r' } });

    await claimed(worker, 'one');
    await sleep(SILENT_MS);
    const claim = await claimed(worker, 'one');
    expect(JSON.stringify(claim)).not.toMatch(/receiver|x-key|idempotency/);
    expect(await worker.heartbeat(claim, [{ type: 'progressed', progress: 0.5 }])).toBe(true);
    expect(await worker.heartbeat(claim, [])).toBe(true);
    expect(await worker.complete(claim, [FINISHED], [claim.token])).toEqual({ next: undefined });
    await api.storeEdits('one', WANTED, 0);
    const edits = await claimed(worker, 'one');
    expect(await worker.complete(edits, [APPLIED], [claim.token, edits.token])).toBeTruthy();
    expect(await worker.folders('one')).toHaveLength(2);
    expect((await worker.get('one'))?.status).toBe('done');
    expect(await worker.workCounts()).toMatchObject({ waiting: 0, active: 0, lostHeartbeats: 1 });
    await accept(api, 'failing');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await claimed(worker, 'failing');
      await sleep(SILENT_MS);
    }
    expect(await worker.claim('failing', 'a worker')).toBeUndefined();
    expect(await api.listFilesInDoubt()).toEqual(['failing']);

    expect(await api.findByKey('k')).toMatchObject({ id: 'one', webhook: { target: webhook.target } });
    expect((await api.takeDueWebhooks(1, 1_000))[0]?.webhook?.target).toEqual(webhook.target);
    expect(await api.takeAbandonedFolders(1)).toEqual([]);
    await api.apply('one', { type: 'files-deleted' });
    await api.remove('one');
    await api.endLostClaims(0);
  });

  it('of workers cannot read secrets, nor add, delete or change tables and tasks', async () => {
    const { worker } = await createDatabase();
    const refused = [
      'SELECT webhook_target FROM tasks',
      'SELECT * FROM tasks',
      'SELECT idempotency_key FROM tasks',
      'UPDATE tasks SET webhook_target = NULL',
      "UPDATE tasks SET id = 'another'",
      'DELETE FROM tasks',
      'INSERT INTO tasks (id) VALUES (1)',
      'TRUNCATE attempts',
      'DROP TABLE tasks',
      'ALTER TABLE tasks ADD COLUMN a text',
      'CREATE TABLE others (a text)',
      'UPDATE veil_schema SET version = 0',
    ];
    for (const sql of refused) {
      await expect(runSql(worker, sql), sql).rejects.toThrow(/permission denied|must be owner/);
    }
  });

  it('without rights are told who has to create the tables', async () => {
    const owner = await server!.createDatabase();
    const opened = openStore(asUser(owner, await createUser(owner)));
    await expect(opened).rejects.toThrow(StartProblem);
    await expect(opened).rejects.toThrow('run veil migrate as the owner of the database');
  });
});

describe.skipIf(!server)('the tables', () => {
  const { version, minCompatible } = MIGRATIONS.at(-1)!;
  const ADDING = {
    version: version + 1,
    minCompatible,
    sql: 'ALTER TABLE tasks ADD COLUMN later integer NOT NULL DEFAULT 7',
  };

  it('are created once, when several processes start at the same time', async () => {
    const url = await server!.createDatabase();
    const created = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(created.filter(Boolean)).toHaveLength(1);
  });

  it('of a later, compatible version serve this version, before and after the upgrade', async () => {
    const url = await server!.createDatabase();
    const before = await openStore(url);
    await accept(before, 'one');
    const claim = await claimed(before, 'one');
    expect(await migrate(url, [...MIGRATIONS, ADDING])).toBe(true);
    expect(await before.complete(claim, [FINISHED], [claim.token])).toBeTruthy();
    const after = await openStore(url);
    await accept(after, 'two');
    expect((await allTasks(after)).map(({ id }) => id)).toEqual(['two', 'one']);
    expect(await migrate(url, [...MIGRATIONS, ADDING])).toBe(false);
  });

  it('of a later, incompatible version are refused', async () => {
    const url = await server!.createDatabase();
    await migrate(url, [...MIGRATIONS, { ...ADDING, minCompatible: ADDING.version }]);
    await expect(openStore(url)).rejects.toThrow(StartProblem);
  });

  it('of an earlier version are refused and not changed', async () => {
    const url = await server!.createDatabase();
    const [first] = MIGRATIONS;
    const earlier: Migrations = [{ ...first, version: first.version - 1, minCompatible: 1 }];
    await migrate(url, earlier);
    await expect(migrate(url)).rejects.toThrow(
      'The tables in the database were made by an earlier version of Veil and cannot be read: use an empty database.',
    );
    expect(await migrate(url, earlier)).toBe(false);
  });

  it('stay as they are when a migration fails', async () => {
    const url = await server!.createDatabase();
    const failing = { ...ADDING, sql: 'ALTER TABLE tasks DROP COLUMN record; SELECT 1 / 0' };
    await expect(migrate(url, [...MIGRATIONS, failing])).rejects.toThrow('division by zero');
    await accept(await openStore(url), 'one');
  });
});
