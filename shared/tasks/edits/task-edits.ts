import pLimit from 'p-limit';
import { hasPendingEdits, type Task } from '../../domain/task';
import type { ServiceSettings } from '../base/settings';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { readEditBase, type ImageBase, type VideoBase } from './edit-base';
import { createEditQueue, type EditListeners } from './edit-queue';
import type { EditOutcome } from './run-edits';
import {
  readAppliedEdits,
  readWantedEdits,
  removeWantedEdits,
  tagOfEdits,
  writeWantedEdits,
  type WantedEdits,
} from './wanted-edits';

/** Edits as clients read them. */
export interface EditsInForce {
  readonly body: object;
  /** Names the edits: those in force, or the latest accepted ones. */
  readonly tag: string;
}

/** Edits of the results of done tasks. */
export interface TaskEdits {
  /** @returns undefined where no plan is stored: the result cannot be edited */
  base(task: Task): Promise<ImageBase | VideoBase | undefined>;
  /** @returns the edits that the result shows, with the tag of the latest accepted ones */
  inForce(base: ImageBase | VideoBase, id: string): Promise<EditsInForce>;
  /** @param prefix `filePrefix` of the result @returns the edits that the result shows */
  applied(id: string, prefix: string | undefined): Promise<object>;
  /**
   * Accepts edits, which replace all earlier ones.
   *
   * @param mayReplace whether the edits with this tag may be replaced
   * @returns undefined where they may not; otherwise how the edits end, once they are safe
   */
  submit(
    task: Task,
    base: ImageBase | VideoBase,
    wanted: WantedEdits,
    mayReplace: (tag: string) => boolean,
  ): Promise<{ readonly outcome: Promise<EditOutcome> } | undefined>;
  /**
   * Stops edits that wait or run; the result is unchanged. Edits that have ended stay.
   *
   * @param mayStop whether the edits with this tag may be stopped
   * @returns undefined where they may not; otherwise whether any were stopped
   */
  stopEdits(
    task: Task,
    base: ImageBase | VideoBase,
    mayStop: (tag: string) => boolean,
  ): Promise<{ readonly wereStopped: boolean } | undefined>;
  /** Stops edits of a task that is being deleted. @returns whether they wait or run */
  cancel(id: string): boolean;
  /** The task with the progress of its edits. */
  withProgress(task: Task): Task;
  /** Applies the edits that an earlier run of the host has not applied. */
  resume(tasks: readonly Task[]): void;
  stop(): Promise<void>;
}

/** @throws where they cannot be stored; nothing is changed then */
const storeWanted = async (
  id: string,
  wanted: WantedEdits,
  { storage }: TaskPorts,
  records: TaskRecords,
): Promise<void> => {
  await writeWantedEdits(storage, id, wanted);
  try {
    await records.apply(id, { type: 'edit-queued' });
  } catch (cause) {
    await removeWantedEdits(storage, id);
    throw cause;
  }
};

/** The edits of one host. */
export const createTaskEdits = (
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  listeners: EditListeners,
): TaskEdits => {
  const { storage, system } = ports;
  const queue = createEditQueue(ports, settings, records, listeners);
  /** One at a time: each reads the tag of the edits that it replaces. */
  const accepting = pLimit(1);

  const inForce: TaskEdits['inForce'] = async ({ result }, id) => {
    const task = await records.get(id);
    const [body, wanted] = await Promise.all([
      readAppliedEdits(storage, id, result.filePrefix),
      task && hasPendingEdits(task) ? readWantedEdits(storage, id) : undefined,
    ]);
    return { body, tag: await tagOfEdits(wanted?.body ?? body, system) };
  };
  return {
    base: (task) => readEditBase(storage, task),
    inForce,
    applied: (id, prefix) => readAppliedEdits(storage, id, prefix),
    submit: (task, from, wanted, mayReplace) =>
      accepting(async () => {
        const { tag } = await inForce(from, task.id);
        if (!mayReplace(tag)) return undefined;
        const { stored, outcome } = queue.enqueue(task.id, () =>
          storeWanted(task.id, wanted, ports, records),
        );
        await stored;
        return { outcome };
      }),
    stopEdits: ({ id }, from, mayStop) =>
      accepting(async () => {
        const { tag } = await inForce(from, id);
        return mayStop(tag) ? { wereStopped: await queue.stopEdits(id) } : undefined;
      }),
    cancel: (id) => queue.cancel(id),
    withProgress: (task) => {
      const progress = queue.progressOf(task.id);
      const { edit } = task;
      return edit?.status === 'processing' && progress !== undefined
        ? { ...task, edit: { ...edit, progress } }
        : task;
    },
    resume: (tasks) => {
      for (const { id } of tasks.filter(hasPendingEdits)) void queue.enqueue(id, async () => undefined);
    },
    stop: () => queue.stop(),
  };
};
