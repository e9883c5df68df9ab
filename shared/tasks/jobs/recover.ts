import { keepsFiles, reduceTask, type Task } from '../../domain/task';
import type { JobStore } from '../base/job-store';
import type { TaskPorts } from '../base/settings';
import type { TaskRecords } from '../base/task-records';
import { removeFilesAfter, removeResult, removeTaskFiles } from '../files/task-files';
import { eventOfLostWork } from '../run/outcome';
import type { Storage } from '../../ports/storage';

/** Completes interrupted uploads and deletions: the record says whether the files of a task stay. */
export const reconcileFiles = async (
  ids: readonly string[],
  storage: Storage,
  store: Pick<JobStore, 'get' | 'setFilesInDoubt'>,
): Promise<void> => {
  for (const id of ids) {
    const task = await store.get(id);
    if (!task || !keepsFiles(task)) await removeTaskFiles(storage, id);
    await store.setFilesInDoubt(id, false);
  }
};

/** The task, queued again; failed where it had its last attempt. */
const takeUp = async (
  task: Task,
  { storage, taskStore, system, log }: Pick<TaskPorts, 'storage' | 'taskStore' | 'system' | 'log'>,
  records: TaskRecords,
): Promise<Task> => {
  const event = eventOfLostWork(task, 0, system.nowMs());
  const after = reduceTask(task, event);
  if (after.status === 'failed') {
    await removeFilesAfter(() => records.apply(task.id, event), task.id, { storage, taskStore }).catch(
      (error) =>
        log.error('The failure of a task could not be saved, or its files could not be removed.', error),
    );
    return after;
  }
  await removeResult(storage, task.id);
  await records.add(after);
  return after;
};

/**
 * Makes records and files consistent after an earlier run of the host, however it ended.
 *
 * Only files of tasks that were noted in doubt are removed: nothing is searched for in folders that may hold what is
 * not ours.
 *
 * @returns all tasks, oldest first; those that wait are in memory again, for their progress
 */
export const recover = async (
  ports: Pick<TaskPorts, 'storage' | 'taskStore' | 'system' | 'log'>,
  records: TaskRecords,
): Promise<readonly Task[]> => {
  const { storage, taskStore } = ports;
  await reconcileFiles(await taskStore.listFilesInDoubt(), storage, taskStore);
  const tasks: Task[] = [];
  for (const task of [...(await records.list())].reverse()) {
    if (task.status === 'queued') records.resume(task);
    tasks.push(task.status === 'processing' ? await takeUp(task, ports, records) : task);
  }
  return tasks;
};
