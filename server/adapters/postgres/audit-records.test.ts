import { describe, expect, it, onTestFinished } from 'vitest';
import { runSql } from '../../testing/services/postgres';
import { accept, openStore, startServerForFile } from '../../testing/services/postgres-stores';
import { openAuditRecords } from './audit-records';
import { TIME_LIMITS, openSession } from './connect';
import { applyGrants } from './migrate';

const server = await startServerForFile();

describe.skipIf(!server)('an audit as the user of API processes', () => {
  const open = async () => {
    const owner = await server!.createDatabase();
    const store = await openStore(owner);
    await accept(store, 'one'); // nobody has claimed it
    await store.setFilesInDoubt('two', true);
    await store.close();
    const name = `auditor_${new URL(owner).pathname.slice(1)}`;
    await runSql(owner, `CREATE ROLE ${name} LOGIN`);
    await applyGrants(owner, name, 'api');
    const records = await openAuditRecords(Object.assign(new URL(owner), { username: name }).href);
    onTestFinished(() => records.close());
    return { owner, records };
  };

  it('may read all that it needs', async () => {
    const { records } = await open();
    expect([...(await records.taskIds())].sort()).toEqual(['one', 'two']);
    expect(await records.attempts()).toEqual([]);
    expect(Math.abs((await records.nowMs()) - Date.now())).toBeLessThan(60_000);
  });

  it('notices sessions of other users, and is alone when they have ended', async () => {
    const { owner, records } = await open();
    const other = await openSession({ url: owner, limits: TIME_LIMITS });
    expect(await records.keepOthersOut()).toBe(false);
    await other.close();
    await expect.poll(() => records.keepOthersOut()).toBe(true);
  });
});
