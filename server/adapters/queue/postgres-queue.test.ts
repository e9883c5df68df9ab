import { afterAll, beforeAll, describe } from 'vitest';
import type { WorkQueue } from '../../cluster/cluster-ports';
import { recordLog } from '../../testing/recorded-log';
import { findPostgres, startPostgres, type PostgresServer } from '../../testing/services/postgres';
import { startHangingProcess } from '../../testing/services/start-hanging-process';
import { describeWorkQueue } from '../../testing/work-queue-contract';
import { openQueue } from './open-queue';

const programs = await findPostgres();
const NAMESPACE = 'test';
const LOCK_MS = 400;
const TIMES = { lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 2 };

describe.skipIf(programs === undefined)('with a PostgreSQL server', () => {
  let server: PostgresServer;
  let url: string;
  const { log } = recordLog();
  const connect = (): Promise<WorkQueue> => openQueue(url, { log, namespace: NAMESPACE, times: TIMES });

  beforeAll(async () => {
    server = await startPostgres(programs!);
  });
  afterAll(() => server.stop());

  describeWorkQueue('work queue on PostgreSQL', {
    open: async () => {
      url = await server.createDatabase();
      return connect();
    },
    connect,
    startHangingProcess: () => startHangingProcess(url, NAMESPACE, LOCK_MS),
  });
});
