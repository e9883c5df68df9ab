import type { PendingEdit, Task } from '#shared/domain/task';
import type { Storage } from '#shared/ports/storage';
import { readEditBase, type ImageBase, type VideoBase } from '#shared/tasks/edits/edit-base';
import type { EditOutcome } from '#shared/tasks/edits/run-edits';
import type { TaskEdits } from '#shared/tasks/edits/task-edits';
import { readAppliedEdits, tagOfEdits } from '#shared/tasks/edits/wanted-edits';
import type { WatchTask } from '#shared/tasks/watch-tasks';
import { awaitState } from './await-outcome';
import type { ClusterPorts } from './cluster-ports';
import { enqueue } from './enqueue';

/** Attempts to store edits while others are stored at the same time. */
const MAX_CONFLICTS = 20;

const PENDING_OUTCOME = {
  queued: () => undefined,
  processing: () => undefined,
  failed: ({ error }) => ({ kind: 'failed', sentence: error ?? '' }),
} as const satisfies Record<PendingEdit['status'], (edit: PendingEdit) => EditOutcome | undefined>;

const outcomeOfEdits = ({ status, edit }: Task): EditOutcome | undefined => {
  if (status !== 'done') return { kind: 'deleted' };
  return edit ? PENDING_OUTCOME[edit.status](edit) : { kind: 'applied' };
};

/** How a change of edits ended. */
type Changed<R> =
  | { readonly kind: 'changed'; readonly value: R }
  /** The edits have another tag. */
  | { readonly kind: 'refused' }
  /** The task was deleted. */
  | { readonly kind: 'gone' };

/**
 * Edits of the results of all processes. They are stored with the task record, and workers apply them.
 *
 * @param results the files of current results
 */
export const createClusterEdits = (
  ports: ClusterPorts,
  results: Storage,
  watch: WatchTask,
  stop: AbortSignal,
): Pick<TaskEdits, 'base' | 'inForce' | 'applied' | 'submit' | 'stopEdits'> => {
  const { store, system } = ports;
  const inForce: TaskEdits['inForce'] = async ({ result }, id) => {
    const [body, state] = await Promise.all([
      readAppliedEdits(results, id, result.filePrefix),
      store.editState(id),
    ]);
    return { body, tag: await tagOfEdits(state?.wanted?.body ?? body, system) };
  };
  const awaitEdits = (id: string): Promise<EditOutcome> =>
    awaitState<EditOutcome>(
      id,
      watch,
      ports,
      { stateOf: outcomeOfEdits, gone: { kind: 'deleted' }, putOff: { kind: 'put-off' } },
      stop,
    );
  /** Tries a change until no other process changes the edits at the same time. */
  const change = async <R>(
    id: string,
    { result }: ImageBase | VideoBase,
    mayChange: (tag: string) => boolean,
    run: (version: number) => Promise<R | undefined>,
  ): Promise<Changed<R>> => {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      const state = await store.editState(id);
      if (state?.task.status !== 'done') return { kind: 'gone' };
      const applied = await readAppliedEdits(results, id, result.filePrefix);
      if (!mayChange(await tagOfEdits(state.wanted?.body ?? applied, system))) return { kind: 'refused' };
      const value = await run(state.version);
      if (value !== undefined) return { kind: 'changed', value };
    }
    throw new Error('The edits of a task changed all the time.');
  };
  return {
    base: (task) => readEditBase(results, task),
    inForce,
    applied: (id, prefix) => readAppliedEdits(results, id, prefix),
    submit: async ({ id }, from, wanted, mayReplace) => {
      const changed = await change(id, from, mayReplace, (version) => store.storeEdits(id, wanted, version));
      if (changed.kind === 'refused') return undefined;
      if (changed.kind === 'gone') return { outcome: Promise.resolve({ kind: 'deleted' }) };
      enqueue([changed.value], ports);
      return {
        get outcome() {
          return awaitEdits(id);
        },
      };
    },
    stopEdits: async ({ id }, from, mayStop) => {
      const changed = await change(id, from, mayStop, (version) => store.stopEdits(id, version));
      if (changed.kind === 'refused') return undefined;
      return { wereStopped: changed.kind === 'changed' && changed.value };
    },
  };
};
