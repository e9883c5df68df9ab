import { createTaskChanges, type TaskChanges } from '#shared/tasks/base/task-changes';
import { pause, repeat } from '#shared/tasks/base/repeat';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { createTasks, type TaskService } from '#shared/tasks/service';
import { enqueue, type ClusterPorts } from './cluster-ports';
import { resolvedStorage } from './layered-storage';

/** A report of a deletion may be lost with the connection to the database: readers look again after this time. */
const WAKE_MS = 10_000;

const wakeReaders = (changes: TaskChanges, ports: ClusterPorts, signal: AbortSignal): Promise<void> =>
  repeat(
    { everyMs: WAKE_MS, problem: 'Readers of tasks could not be woken.' },
    async () => changes.followed().forEach((id) => changes.notify(id)),
    ports,
    signal,
  );

/**
 * The tasks of all processes, for the API of one of them. Workers process them.
 *
 * It remembers nothing: every answer comes from the shared store, so that any API process answers any request.
 */
export const createClusterTasks = (ports: ClusterPorts, settings: ServiceSettings): TaskService => {
  const { store, files, timer } = ports;
  const closing = new AbortController();
  const changes = createTaskChanges();
  const endReports = store.onChange(changes.notify);
  void wakeReaders(changes, ports, closing.signal);
  const tasks = createTasks(
    {
      jobs: store,
      changes,
      results: resolvedStorage(files, (id) => store.folders(id)),
      ports: { ...ports, storage: files },
      work: {
        add: (_task, _work, job) => job && enqueue([job], ports),
        stop: async (graceMs = 0, clients) => {
          await Promise.race([clients, pause(graceMs, timer, closing.signal)]);
        },
      },
    },
    settings,
  );
  return {
    ...tasks,
    resume: async () => undefined,
    stop: async (graceMs) => {
      await tasks.stop(graceMs);
      closing.abort();
      endReports();
    },
  };
};
