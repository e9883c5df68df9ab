import pLimit from 'p-limit';
import type { Task } from '#shared/domain/task';
import { idempotencyOf } from '#shared/tasks/accept/idempotency';
import { allTasks } from '#shared/tasks/base/arrivals';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { createTaskChanges, type TaskChanges } from '#shared/tasks/base/task-changes';
import { createResultReader } from '#shared/tasks/files/results';
import { removeFilesAfter } from '#shared/tasks/files/task-files';
import type { TaskService } from '#shared/tasks/service';
import { watchTasks } from '#shared/tasks/watch-tasks';
import { acceptShared, sharedLoad } from './accept-shared';
import { awaitOutcome } from './await-outcome';
import { createClusterEdits } from './cluster-edits';
import type { ClusterPorts } from './cluster-ports';
import { resolvedStorage } from './layered-storage';
import { pause, repeat } from './repeat';
import { createSharedIdempotencyKeys } from './shared-keys';

/** Tasks deleted at a time: each waits for the database and the file store a few times. */
const CONCURRENT_DELETIONS = 16;

const isUnfinished = ({ status, edit }: Task): boolean =>
  status === 'queued' || status === 'processing' || (edit !== undefined && edit.status !== 'failed');

/** A report of a deletion may be lost with the connection to the database: readers look again after this time. */
const WAKE_MS = 10_000;

const wakeReaders = (changes: TaskChanges, ports: ClusterPorts, signal: AbortSignal): Promise<void> =>
  repeat(
    { everyMs: WAKE_MS, problem: 'Readers of tasks could not be woken.' },
    async () => changes.followed().forEach((id) => changes.notify(id)),
    ports,
    signal,
  );

type SubmitTask = TaskService['submit'];

/** Accepts uploads. Their outcome is waited for only if it is read. */
const createSubmit =
  (
    ports: ClusterPorts,
    settings: ServiceSettings,
    outcomeOf: (id: string) => ReturnType<typeof awaitOutcome>,
    keys: ReturnType<typeof createSharedIdempotencyKeys>,
  ): SubmitTask =>
  async (submission, admit = () => undefined) => {
    let accepted = false;
    try {
      const idempotency = await idempotencyOf(submission, ports.system);
      const task = await keys.once(idempotency, async () => {
        admit(await sharedLoad(ports, settings));
        const own = await acceptShared(submission, idempotency, admit, ports, settings);
        accepted = true;
        return own;
      });
      return {
        task,
        get outcome() {
          return outcomeOf(task.id);
        },
      };
    } finally {
      if (!accepted) await submission.file.discard();
    }
  };

/**
 * The tasks of all processes, for the API of one of them. Workers process them.
 *
 * It remembers nothing: every answer comes from the shared store, so that any API process answers any request.
 */
export const createClusterTasks = (ports: ClusterPorts, settings: ServiceSettings): TaskService => {
  const { store, files, engine, timer } = ports;
  const stopped = new AbortController();
  const closing = new AbortController();
  const changes = createTaskChanges();
  const endReports = store.onChange(changes.notify);
  void wakeReaders(changes, ports, closing.signal);
  const results = resolvedStorage(files, (id) => store.folders(id));
  const watch = watchTasks((id) => store.get(id), changes);
  const keys = createSharedIdempotencyKeys(store, ports.system);
  const waiting = new Set<Promise<unknown>>();
  const outcomeOf = (id: string): ReturnType<typeof awaitOutcome> => {
    const outcome = awaitOutcome(id, watch, ports, closing.signal).finally(() => waiting.delete(outcome));
    waiting.add(outcome);
    return outcome;
  };
  const remove: TaskService['delete'] = async (id, scope) => {
    const task = await store.get(id);
    if (!task) return false;
    const change = async (): Promise<void> => {
      if (scope === 'only-files') await store.apply(id, { type: 'files-deleted' });
      else await store.remove(id);
    };
    await removeFilesAfter(change, id, { storage: files, taskStore: store }, isUnfinished(task));
    return true;
  };
  return {
    ...createResultReader({ ...ports, storage: results, taskStore: store }, settings),
    takesVideo: engine.takesVideo,
    convertsVideo: engine.convertsVideo,
    load: () => sharedLoad(ports, settings),
    isStopping: () => stopped.signal.aborted,
    isRepeated: keys.isKnown,
    submit: createSubmit(ports, settings, outcomeOf, keys),
    edits: createClusterEdits(ports, results, watch, closing.signal),
    decide: async (id, decisions) => void (await store.apply(id, { type: 'decided', decisions })),
    get: (id) => store.get(id),
    watch,
    list: () => allTasks(store),
    page: (limit, before) => store.page(limit, before),
    holdsVideo: () => store.holdsVideo(),
    delete: remove,
    deleteAll: async (scope) => {
      const deletions = pLimit(CONCURRENT_DELETIONS);
      await Promise.all((await allTasks(store)).map(({ id }) => deletions(() => remove(id, scope))));
    },
    resume: async () => undefined,
    stop: async (graceMs = 0) => {
      stopped.abort();
      await Promise.race([Promise.all(waiting), pause(graceMs, timer, closing.signal)]);
      closing.abort();
      await Promise.all(waiting);
      endReports();
    },
  };
};
