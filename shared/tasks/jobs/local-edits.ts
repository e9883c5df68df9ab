import { hasPendingEdits } from '../../domain/task';
import type { Storage } from '../../ports/storage';
import { createSerialCalls } from '../base/weighted-queue';
import { jobOf, type JobStore } from '../base/job-store';
import type { TaskRecords } from '../base/task-records';
import { readWantedEdits, removeWantedEdits, writeWantedEdits } from '../edits/wanted-edits';
import { TaskStopped } from '../run/task-clock';

/** A claim of this process, from its beginning to the last write of its work. */
export interface RunningWork {
  readonly token: string;
  /** Aborts the work with a `TaskStopped`. */
  readonly abort: AbortController;
  /** Resolves when nothing is written any more. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** Its task, or its files, were deleted: nothing that it says counts. */
  isDeleted: boolean;
  /** Later edits have replaced those of the claim. */
  isReplaced: boolean;
  /** Its result is in place and on record. */
  isCompleted: boolean;
}

export const newRunningWork = (token: string): RunningWork => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const abort = new AbortController();
  return { token, abort, ended, end: () => end(), isDeleted: false, isReplaced: false, isCompleted: false };
};

interface LocalEdits extends Pick<JobStore, 'editState' | 'storeEdits' | 'stopEdits'> {
  /** Increments the version. */
  changed(id: string): void;
  /** Runs something while the edits of a task are neither stored nor stopped. */
  inTurn<T>(id: string, run: () => Promise<T>): Promise<T>;
}

/**
 * Edits that wait, in a file next to the result; the record says whether the file is in force.
 *
 * Their version is counted from the start of the host: it tells apart changes of requests that are answered now.
 *
 * @param running by the id of the task
 */
export const createLocalEdits = (
  storage: Storage,
  records: TaskRecords,
  running: ReadonlyMap<string, RunningWork>,
): LocalEdits => {
  const versions = new Map<string, number>();
  const inTurn = createSerialCalls();
  const versionOf = (id: string): number => versions.get(id) ?? 0;
  const changed = (id: string): void => void versions.set(id, versionOf(id) + 1);
  return {
    changed,
    inTurn,
    editState: async (id) => {
      const task = await records.get(id);
      if (!task) return undefined;
      const wanted = hasPendingEdits(task) ? await readWantedEdits(storage, id) : undefined;
      return { task, wanted, folders: [], version: versionOf(id) };
    },
    storeEdits: (id, wanted, version) =>
      inTurn(id, async () => {
        const task = await records.get(id);
        if (task?.status !== 'done' || versionOf(id) !== version) return undefined;
        const replaced = running.get(id);
        if (replaced) replaced.isReplaced = true;
        await writeWantedEdits(storage, id, wanted);
        try {
          await records.apply(id, { type: 'edit-queued' });
        } catch (cause) {
          await removeWantedEdits(storage, id);
          throw cause;
        }
        changed(id);
        // The last edits win: those that are being applied are of no use any more.
        replaced?.abort.abort(new TaskStopped('replacement'));
        return jobOf(id, task.kind, versionOf(id), false);
      }),
    stopEdits: (id, version) =>
      inTurn(id, async () => {
        if (versionOf(id) !== version) return undefined;
        const work = running.get(id);
        if (work && !work.isReplaced) {
          work.abort.abort(new TaskStopped('cancellation'));
          await work.ended;
          if (work.isCompleted) return false;
        }
        // Also if nothing runs: the disk may have refused the end of earlier edits.
        if (!hasPendingEdits((await records.get(id)) ?? {})) return false;
        changed(id);
        await records.apply(id, { type: 'edit-stopped', laterWait: false });
        await removeWantedEdits(storage, id);
        // Edits that these replaced may be too late to be stopped.
        await work?.ended;
        return true;
      }),
  };
};
