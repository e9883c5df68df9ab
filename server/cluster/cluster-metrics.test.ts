import { expect, it } from 'vitest';
import { StoreUnavailable } from '#shared/tasks/base/job-store';
import { createClusterMetrics, type MeasuredServices } from './cluster-metrics';

const WORK = { waiting: 4, active: 2, oldestWaitingMs: 1_500, lostHeartbeats: 3, attempts: 9 };
const yes = async (): Promise<boolean> => true;
const lost = async (): Promise<never> => {
  throw new StoreUnavailable('down');
};
const SERVICES: MeasuredServices = {
  store: {
    countByStatus: async () => ({ queued: 4 }),
    workCounts: async () => WORK,
    get: async () => undefined,
  },
  queue: { isAvailable: yes },
  files: { isAvailable: yes },
};
const linesOf = async (
  services: Partial<MeasuredServices> = {},
  role: 'api' | 'worker' = 'worker',
): Promise<string[]> =>
  (await createClusterMetrics({ ...SERVICES, ...services }, role).render()).text.split('\n');

it('the metrics of a cluster contain its work', async () => {
  expect(await linesOf()).toEqual(
    expect.arrayContaining([
      'veil_queue_length 4',
      'veil_work_waiting 4',
      'veil_work_active 2',
      'veil_queue_oldest_seconds 1.5',
      'veil_work_lost_heartbeats 3',
      'veil_work_attempts 9',
    ]),
  );
});

it.each(['queue', 'files'] as const)('the metrics name an unavailable service: %s', async (service) => {
  const lines = await linesOf({ [service]: { isAvailable: async () => false } });
  expect(lines).toContain(`veil_service_available{service="${service}"} 0`);
  expect(lines).toContain('veil_service_available{service="database"} 1');
});

it('the metrics of a process remain while the database is unavailable, without numbers of tasks', async () => {
  const lines = await linesOf({ store: { countByStatus: lost, workCounts: lost, get: lost } });
  expect(lines).toContain('veil_service_available{service="database"} 0');
  expect(lines.filter((line) => /^veil_(tasks|queue|work)/.test(line))).toEqual([]);
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
});

it('a worker counts how its attempts end', async () => {
  const metrics = createClusterMetrics(SERVICES, 'worker');
  metrics.countOutcome('files-unavailable');
  const { text } = await metrics.render();
  expect(text).toContain('veil_attempts_total{outcome="files-unavailable"} 1');
  expect(text).toContain('veil_attempts_total{outcome="lost"} 0');
});

it('an API process counts no attempts', async () => {
  expect((await linesOf({}, 'api')).join('\n')).not.toContain('veil_attempts_total');
});
