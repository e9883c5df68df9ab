import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import type { WorkQueue } from '../../cluster/work-queue';
import { recordLog } from '../../testing/recorded-log';
import { findPostgres, startPostgres, type PostgresServer } from '../../testing/services/postgres-for-queue';
import { startHangingProcess } from '../../testing/services/start-hanging-process';
import { describeWorkQueue } from '../../testing/work-queue-contract';
import { openQueue } from './open-queue';

const bin = findPostgres();
const NAMESPACE = 'test';
const LOCK_MS = 400;
const TIMES = { lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 2 };

describe.skipIf(bin === undefined)('with a PostgreSQL server', () => {
  let server: PostgresServer;
  const { log } = recordLog();
  const connect = (): Promise<WorkQueue> =>
    openQueue(server.url, { log, namespace: NAMESPACE, times: TIMES });

  beforeAll(async () => {
    server = await startPostgres(bin!);
  });
  afterAll(() => server.remove());

  describeWorkQueue('work queue on PostgreSQL', {
    open: async () => {
      const client = new pg.Client(server.url);
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${NAMESPACE}_queue CASCADE`);
      await client.end();
      return connect();
    },
    connect,
    startHangingProcess: () => startHangingProcess(server.url, NAMESPACE, LOCK_MS),
  });
});
