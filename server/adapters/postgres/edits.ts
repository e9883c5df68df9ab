import { hasPendingEdits, reduceTask } from '#shared/domain/task';
import type { Edits } from '#shared/domain/edits/edits';
import type { TaskClaims } from '../../cluster/shared-task-store';
import type { Database } from './connect';
import { lockTask, saveTask } from './locked-task';
import { rowColumns, taskOf, type StoreRole, type TaskRow } from './task-row';

export const createEdits = (
  database: Database,
  role: StoreRole,
  silentMs: number,
): Pick<TaskClaims, 'editState' | 'storeEdits' | 'stopEdits' | 'folders'> => ({
  editState: async (id) => {
    const [row] = await database.query<TaskRow & { wanted: Edits | null }>(
      `SELECT ${rowColumns(role)}, wanted FROM tasks WHERE id = $1`,
      [id],
    );
    if (!row) return undefined;
    const { wanted, folders, edit_version: version } = row;
    return { task: taskOf(row), wanted: wanted ?? undefined, folders, version };
  },
  storeEdits: (id, wanted, version) =>
    database.transaction(async (sql) => {
      const locked = await lockTask(sql, role, id, silentMs);
      if (!locked || locked.task.status !== 'done' || locked.row.edit_version !== version) return undefined;
      return saveTask(sql, role, locked, {
        task: reduceTask(locked.task, { type: 'edit-queued' }),
        wanted,
        editVersion: version + 1,
        editAttempts: 0,
        // Somebody waits in front of an image; the edits of a video take minutes in any case.
        isUrgent: locked.task.kind === 'image',
      });
    }),
  stopEdits: (id, version) =>
    database.transaction(async (sql) => {
      const locked = await lockTask(sql, role, id, silentMs);
      if (!locked || locked.row.edit_version !== version) return undefined;
      if (!hasPendingEdits(locked.task)) return false;
      await saveTask(sql, role, locked, {
        task: reduceTask(locked.task, { type: 'edit-stopped', laterWait: false }),
        editVersion: version + 1,
      });
      return true;
    }),
  folders: async (id) => {
    const [row] = await database.query<{ folders: string[] }>('SELECT folders FROM tasks WHERE id = $1', [
      id,
    ]);
    return row?.folders ?? [];
  },
});
