import type { Task, PendingEdit, TaskEvent } from '../../domain/task';
import type { System } from '../../ports/system';
import { KEY_KEPT_MS } from '../accept/accept-upload';
import { mapPage, createTaskRecords, type TaskRecords } from '../base/task-records';
import { createSerialCalls } from '../base/weighted-queue';
import { jobOf, type JobStore, workOf, type Claim } from '../base/job-store';
import type { ServiceSettings, TaskPorts } from '../base/settings';
import { createLocalEdits, type RunningWork, newRunningWork } from './local-edits';
import { recover } from './recover';
import { readWantedEdits, removeWantedEdits } from '../edits/wanted-edits';
import { removeFilesAfter } from '../files/task-files';
import { TaskStopped } from '../run/task-clock';

/** Claims of the only process, and what its worker says of them. */
interface LocalClaims extends Pick<JobStore, 'claim' | 'complete'> {
  /** Puts the beginning of the work on record. */
  begin(claim: Claim): Promise<void>;
  /** Aborts the work of a claim: for the worker's reasons, or because others have ended the claim. */
  abortOf(claim: Claim): AbortController;
  /** Shows progress. It is kept in memory only. */
  report(claim: Claim, event: TaskEvent): void;
  /** The work has ended, and writes nothing any more. */
  release(claim: Claim): Promise<void>;
  /** Ends the claim of a task that is being deleted. */
  endByDeletion(id: string): void;
  /** The task with the progress of its edits. */
  withProgress(task: Task): Task;
}

/** What the store of one process consists of. */
interface LocalParts {
  readonly ports: Pick<TaskPorts, 'storage' | 'taskStore' | 'system' | 'log'>;
  readonly settings: ServiceSettings;
  readonly records: TaskRecords;
  /** By the id of the task. */
  readonly running: Map<string, RunningWork>;
  readonly edits: ReturnType<typeof createLocalEdits>;
  /** Called after each change of the progress of edits. */
  readonly onChange: (id: string) => void;
}

/** The end of edits that were replaced is announced, and the record shows the later ones. */
const lastEvent = (event: TaskEvent, { isReplaced }: RunningWork): TaskEvent =>
  isReplaced && 'laterWait' in event ? { ...event, laterWait: true } : event;

const createClaiming =
  ({ ports: { storage, system }, settings, records, running, edits }: LocalParts): JobStore['claim'] =>
  (id) =>
    edits.inTurn(id, async () => {
      const task = await records.get(id);
      const work = task ? workOf(task) : null;
      if (!task || !work || running.has(id)) return undefined;
      const token = system.newId();
      const own = newRunningWork(token);
      running.set(id, own);
      // Read again: from here on, the work notices if the task is deleted.
      const wanted = work === 'edits' ? await readWantedEdits(storage, id).catch(() => undefined) : undefined;
      if (await records.get(id)) return { token, work, task, settings, folders: [], wanted };
      running.delete(id);
      own.end();
      return undefined;
    });

/** Ends work that writes nothing any more, and removes what it has written since its task was deleted. */
const releaseWork = async (id: string, { ports, running }: LocalParts): Promise<void> => {
  const work = running.get(id);
  if (work?.isDeleted) {
    await removeFilesAfter(async () => undefined, id, ports).catch((error: unknown) =>
      ports.log.error('Files of a deleted task were not removed; the next start removes them.', error),
    );
  }
  running.delete(id);
  work?.end();
};

const createLocalClaims = (parts: LocalParts): LocalClaims => {
  const { ports, records, running, edits, onChange } = parts;
  /** Running edits, and those whose failure could not be saved. */
  const edited = new Map<string, PendingEdit>();
  const ownOf = ({ task, token }: Claim): RunningWork | undefined => {
    const work = running.get(task.id);
    return work?.token === token && !work.isDeleted ? work : undefined;
  };
  const conclude = async (id: string, event: TaskEvent): Promise<void> => {
    try {
      await records.apply(id, event);
    } catch (cause) {
      if (event.type === 'edit-failed') edited.set(id, { status: 'failed', progress: 0, error: event.error });
      onChange(id);
      throw cause;
    }
  };
  return {
    claim: createClaiming(parts),
    begin: async ({ task: { id }, work }) => {
      edited.delete(id);
      const atMs = ports.system.nowMs();
      await records.apply(id, work === 'process' ? { type: 'started', atMs } : { type: 'edit-started' });
    },
    abortOf: ({ task: { id } }) => running.get(id)?.abort ?? new AbortController(),
    report: ({ task: { id } }, event) => {
      if (event.type !== 'edit-progressed') return void records.apply(id, event);
      edited.set(id, { status: 'processing', progress: event.progress, error: null });
      return onChange(id);
    },
    complete: async (claim, events) => {
      const { id } = claim.task;
      const own = ownOf(claim);
      if (!own) return false;
      for (const event of events) await conclude(id, lastEvent(event, own));
      own.isCompleted = !events.some(({ type }) => type === 'edit-queued');
      if (events.some(({ type }) => type === 'edit-failed')) edits.changed(id);
      // After the record, which shows their end. Later edits have the same file.
      if (claim.work === 'edits' && own.isCompleted && !own.isReplaced) {
        await removeWantedEdits(ports.storage, id);
      }
      return { next: undefined };
    },
    release: async ({ task: { id } }) => {
      if (edited.get(id)?.status === 'processing') edited.delete(id);
      await releaseWork(id, parts);
    },
    endByDeletion: (id) => {
      const work = running.get(id);
      if (!work) return;
      work.isDeleted = true;
      work.abort.abort(new TaskStopped('deletion'));
    },
    withProgress: (task) => {
      const edit = edited.get(task.id);
      return edit && task.edit?.status === 'processing' ? { ...task, edit } : task;
    },
  };
};

/** Jobs of one process, over its task records and its files. */
export interface LocalJobs extends JobStore, Pick<LocalClaims, 'begin' | 'abortOf' | 'report' | 'release'> {
  /** Takes up what an earlier run of the host has left. Once, before all else. @returns all tasks, oldest first */
  recover(): Promise<readonly Task[]>;
  /** Resolves when the task has no claim at the moment. */
  whenIdle(id: string): Promise<void>;
  /** Whether the task waits or is processed. */
  isUnfinished(id: string): boolean;
}

/** Where the tasks of keys are, oldest first. The records say whether they still have them. */
const createKeyIndex = (system: Pick<System, 'nowMs'>) => {
  const holders = new Map<string, { readonly id: string; readonly sinceMs: number }>();
  return {
    remember: ({ id, createdAtMs, idempotency }: Task): void => {
      if (!idempotency) return;
      for (const [key, { sinceMs }] of holders) {
        if (system.nowMs() - sinceMs < KEY_KEPT_MS) break;
        holders.delete(key);
      }
      holders.delete(idempotency.key);
      holders.set(idempotency.key, { id, sinceMs: createdAtMs });
    },
    idOf: (key: string): string | undefined => holders.get(key)?.id,
  };
};

/**
 * Claims are in memory, because they end with the process: after its start nothing is claimed. The lock of the records
 * keeps other processes away.
 *
 * Attempts write to the same places, one after the other: the result is in place before it is on record.
 *
 * @param onChange called after each change of a record, and of progress
 */
export const createLocalJobs = (
  ports: LocalParts['ports'],
  settings: ServiceSettings,
  onChange: (id: string) => void,
): LocalJobs => {
  const { storage, taskStore, system } = ports;
  const records = createTaskRecords(taskStore, onChange);
  const running = new Map<string, RunningWork>();
  const edits = createLocalEdits(storage, records, running);
  const claims = createLocalClaims({ ports, settings, records, running, edits, onChange });
  const { endByDeletion, withProgress } = claims;
  const keys = createKeyIndex(system);
  return {
    ...edits,
    ...claims,
    get: async (id) => {
      const task = await records.get(id);
      return task && withProgress(task);
    },
    page: async (limit, before) => mapPage(await records.page(limit, before), withProgress),
    holdsVideo: () => taskStore.holdsVideo(),
    setFilesInDoubt: (id, inDoubt) => taskStore.setFilesInDoubt(id, inDoubt),
    countUnfinished: async () => records.countUnfinished(),
    isUnfinished: records.isUnfinished,
    whenIdle: async (id) => running.get(id)?.ended,
    mayBeWritten: ({ id }) => running.has(id),
    accept: async ({ task, isUrgent }, { maxUnfinished = Infinity }) => {
      if (records.countUnfinished() >= maxUnfinished) return 'full';
      keys.remember(task);
      await Promise.all([records.add(task), taskStore.setFilesInDoubt(task.id, false)]);
      return jobOf(task.id, task.kind, 1, isUrgent);
    },
    apply: (id, event) => {
      if (event.type === 'files-deleted') endByDeletion(id);
      return records.apply(id, event);
    },
    remove: (id) => {
      endByDeletion(id);
      return records.remove(id);
    },
    findByKey: async (key) => {
      const id = keys.idOf(key);
      const task = id === undefined ? undefined : await records.get(id);
      return task?.idempotency?.key === key ? task : undefined;
    },
    exclusively: createSerialCalls(),
    recover: async () => {
      const tasks = await recover(ports, records);
      tasks.forEach(keys.remember);
      return tasks;
    },
  };
};
