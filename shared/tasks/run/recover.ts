import { INTERRUPTED, MAX_ATTEMPTS } from './interruptions';
import { failTask } from './run-task';
import { keepsFiles, reduceTask, type Task } from '../../domain/task';
import { removeResult, removeTaskFiles } from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';

/** Completes interrupted deletions: the record says whether the files of a task stay. */
const settleFiles = async ({ storage, taskStore }: TaskPorts): Promise<void> => {
  for (const id of await taskStore.listFilesInDoubt()) {
    const task = await taskStore.get(id);
    if (!task || !keepsFiles(task)) await removeTaskFiles(storage, id);
    await taskStore.setFilesInDoubt(id, false);
  }
};

/** The task, queued again; undefined where it had its last attempt. */
const takeUp = async (task: Task, ports: TaskPorts, records: TaskRecords): Promise<Task | undefined> => {
  if (task.attempts >= MAX_ATTEMPTS) {
    await failTask(task, INTERRUPTED, ports, records);
    return undefined;
  }
  await removeResult(ports.storage, task.id);
  const queued = reduceTask(task, { type: 'interrupted' });
  await records.add(queued);
  return queued;
};

/**
 * Makes records and files consistent after an earlier run of the host, however it ended.
 *
 * Only files of tasks that were noted in doubt are removed: nothing is searched for in folders that may hold what is
 * not ours.
 *
 * @returns the tasks to be run, oldest first; they are in memory again, for their progress
 */
export const recover = async (ports: TaskPorts, records: TaskRecords): Promise<readonly Task[]> => {
  await settleFiles(ports);
  const toRun: Task[] = [];
  for (const task of [...(await records.list())].reverse()) {
    if (task.status === 'queued') {
      await records.add(task);
      toRun.push(task);
    }
    if (task.status === 'processing') {
      const queued = await takeUp(task, ports, records);
      if (queued) toRun.push(queued);
    }
  }
  return toRun;
};
