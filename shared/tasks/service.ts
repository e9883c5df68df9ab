import pLimit from 'p-limit';
import type { Submission } from './accept/accept-upload';
import { createIdempotencyKeys } from './accept/idempotency';
import { createIntake, type Admit, type ServiceLoad } from './accept/intake';
import { recover } from './run/recover';
import { createResultReader, type ResultReader } from './files/results';
import type { Outcome } from './run/run-task';
import { createRunner } from './run/runner';
import type { RecordedDecision } from '../domain/decision';
import type { ServiceSettings } from './base/settings';
import type { VideoSupport } from '../ports/engine';
import type { Task } from '../domain/task';
import type { TaskStore } from '../ports/task-store';
import { removeFilesAfter } from './files/task-files';
import type { TaskPorts } from './base/task-ports';
import { mapPage } from './base/arrivals';
import { createTaskChanges } from './base/task-changes';
import { watchTasks, type WatchTask } from './watch-tasks';
import { createTaskRecords } from './base/task-records';
import { createTaskEdits, type TaskEdits } from './edits/task-edits';
import { createWebhookDelivery } from './webhook/webhook-delivery';

export type DeleteScope = 'task-and-files' | 'only-files';

/** The tasks of one host: accepted, queued, run, kept and deleted. */
export interface TaskService extends ResultReader, VideoSupport {
  /** How much there is to do, before an upload is received. */
  load(): Promise<ServiceLoad>;
  /** The host is going down: no upload is accepted any more. */
  isStopping(): boolean;
  /** Whether an upload under this key would find a task that it stands for already. */
  isRepeated(idempotencyKey: string): Promise<boolean>;
  /**
   * Files the upload and queues its task, or finds the task that was accepted under the same key; the file is then
   * discarded, and so it is where the upload is refused.
   *
   * @param admit throws where the upload is refused under the present load; not asked where it is repeated
   * @returns once file and record are safe; `outcome` never rejects, and is read only by callers that wait for it
   * @throws KeyReused, or what `admit` throws
   */
  submit(
    submission: Submission,
    admit?: Admit,
  ): Promise<{ readonly task: Task; readonly outcome: Promise<Outcome> }>;
  /** Edits of results. */
  readonly edits: Pick<TaskEdits, 'base' | 'inForce' | 'applied' | 'submit' | 'stopEdits'>;
  /** Records what a person decided about single objects of a done task, instead of all decisions before. */
  decide(id: string, decisions: readonly RecordedDecision[]): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  readonly watch: WatchTask;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** See `TaskStore`. */
  page: TaskStore['page'];
  holdsVideo: TaskStore['holdsVideo'];
  /** Stops the task if it runs. @returns false where there is no such task */
  delete(id: string, scope: DeleteScope): Promise<boolean>;
  deleteAll(scope: DeleteScope): Promise<void>;
  /** Takes up what an earlier run of the host left unfinished. Call once, at start. */
  resume(): Promise<void>;
  /**
   * Ends all work cleanly; unfinished tasks resume at the next start.
   *
   * @param graceMs how long running tasks may continue; 0 by default
   * @returns when nothing is written any more
   */
  stop(graceMs?: number): Promise<void>;
}

/** Tasks deleted at a time: each waits for the disk a few times. */
const CONCURRENT_DELETIONS = 16;

/**
 * The task service over a host's ports.
 *
 * Uploads are accepted at any time, whatever is being processed; each task's result is kept until it is deleted.
 */
export const createTaskService = (ports: TaskPorts, settings: ServiceSettings): TaskService => {
  const changes = createTaskChanges();
  const records = createTaskRecords(ports.taskStore, changes.notify);
  const webhooks = ports.webhooks && createWebhookDelivery(ports.webhooks, ports, records);
  const onEnded = (id: string): void => webhooks?.take(id);
  const runner = createRunner(ports, settings, records, onEnded);
  const keys = createIdempotencyKeys(records, ports.system);
  const intake = createIntake(ports, settings, records, keys, runner);
  const edits = createTaskEdits(ports, settings, records, { onChange: changes.notify, onEnded });
  let stopping = false;
  const remove = async (id: string, scope: DeleteScope): Promise<boolean> => {
    if (!(await records.get(id))) return false;
    const change = (): Promise<void> =>
      scope === 'only-files' ? records.apply(id, { type: 'files-deleted' }) : records.remove(id);
    const isInWork = [runner.cancel(id), edits.cancel(id)].includes(true);
    await removeFilesAfter(change, id, ports, isInWork);
    return true;
  };

  const get = async (id: string): Promise<Task | undefined> => {
    const task = await records.get(id);
    return task && edits.withProgress(task);
  };
  const watch = watchTasks(get, changes);

  return {
    ...createResultReader(ports, settings),
    takesVideo: ports.engine.takesVideo,
    convertsVideo: ports.engine.convertsVideo,
    load: async () => intake.load(),
    isStopping: () => stopping,
    isRepeated: keys.isKnown,
    submit: intake.submit,
    edits,
    decide: (id, decisions) => records.apply(id, { type: 'decided', decisions }),
    ...{ get, watch },
    list: async () => (await records.list()).map(edits.withProgress),
    page: async (limit, before) => mapPage(await records.page(limit, before), edits.withProgress),
    holdsVideo: () => ports.taskStore.holdsVideo(),
    delete: remove,
    deleteAll: async (scope) => {
      const tasks = await records.list();
      for (const { id } of tasks) [runner, edits].forEach((work) => work.cancel(id)); // first, so that none begins meanwhile
      const deletions = pLimit(CONCURRENT_DELETIONS);
      await Promise.all(tasks.map(({ id }) => deletions(() => remove(id, scope))));
    },
    resume: async () => {
      for (const task of await recover(ports, records)) void runner.enqueue(task);
      const tasks = [...(await records.list())].reverse();
      edits.resume(tasks);
      for (const task of tasks) {
        keys.remember(task);
        webhooks?.take(task.id);
      }
    },
    stop: async (graceMs) => {
      stopping = true;
      await Promise.all([runner.stop(graceMs), edits.stop()]);
      await webhooks?.stop(); // last: tasks that end meanwhile still send notifications, if there is time
    },
  };
};
