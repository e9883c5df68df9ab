import type { Task } from '../../domain/task';
import type { System } from '../../ports/system';
import { KEY_KEPT_MS } from '../accept/idempotency';
import { mapPage } from '../base/arrivals';
import { inOrder } from '../base/in-order';
import { jobOf, type JobStore } from '../base/job-store';
import type { ServiceSettings } from '../base/settings';
import { createTaskRecords } from '../base/task-records';
import { createLocalClaims, type LocalClaims, type LocalParts } from './local-claims';
import { createLocalEdits } from './local-edits';
import { recover } from './recover';
import type { RunningWork } from './running-work';

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
    exclusively: inOrder(),
    recover: async () => {
      const tasks = await recover(ports, records);
      tasks.forEach(keys.remember);
      return tasks;
    },
  };
};
