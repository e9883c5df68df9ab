import { hasPendingEdits, type PendingEdit, type Release, type Task } from '../../domain/task';
import type { System } from '../../ports/system';
import type { Storage } from '../../ports/storage';
import type { Edits, NumberedDetection } from '../../domain/edits/edits';
import type { Job, JobStore } from '../base/job-store';
import { readAppliedEdits, tagOfEdits } from './wanted-edits';
import type { RedactionPlan } from '../../domain/plan';
import { numberDetections } from '../../engine/edits/edit-plan';
import { readFirstPlan, readStoredResult, type StoredResult } from '../files/task-files';
import { hasFramePlans, readVideoResult, type StoredVideoResult } from '../files/video-files';

/** What edits of an image start from. */
export interface ImageBase {
  readonly kind: 'image';
  readonly plan: RedactionPlan;
  readonly result: StoredResult;
  /** All objects that the detectors found, whether or not they are hidden. */
  readonly found: readonly NumberedDetection[];
}

/** What edits of a video start from. */
export interface VideoBase {
  readonly kind: 'video';
  readonly result: StoredVideoResult;
}

/** @returns undefined where no plan is stored: the result cannot be edited */
const readEditBase = async (
  storage: Storage,
  { id, kind }: Task,
): Promise<ImageBase | VideoBase | undefined> => {
  if (kind === 'video') {
    const result = await readVideoResult(storage, id);
    return result?.anonymised && (await hasFramePlans(storage, id)) ? { kind, result } : undefined;
  }
  const [result, plan] = await Promise.all([readStoredResult(storage, id), readFirstPlan(storage, id)]);
  if (!result || !plan) return undefined;
  return { kind, plan, result, found: numberDetections(plan) };
};

/** How edits ended. */
export type EditOutcome =
  | { readonly kind: 'applied' }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'deleted' }
  /** A client stopped them; the result is unchanged. */
  | { readonly kind: 'stopped' }
  /** The host stops; its next start applies them. */
  | { readonly kind: 'put-off' };

/** Edits, with the times of those that name frames. */
export interface CurrentEdits {
  readonly body: Edits;
  /** Names the edits: those in force, or the latest accepted ones. */
  readonly tag: string;
}

/** Edits of the results of done tasks. They are stored with the task, and workers apply them. */
export interface TaskEdits {
  /** @returns undefined where no plan is stored: the result cannot be edited */
  base(task: Task): Promise<ImageBase | VideoBase | undefined>;
  /** @returns the edits that the result shows, with the tag of the latest accepted ones */
  inForce(base: ImageBase | VideoBase, id: string): Promise<CurrentEdits>;
  /** @param prefix `filePrefix` of the result @returns the edits that the result shows */
  applied(id: string, prefix: string | undefined): Promise<Edits>;
  /**
   * Accepts edits, which replace all earlier ones.
   *
   * @param mayReplace whether the edits with this tag may be replaced
   * @returns undefined where they may not; otherwise how the edits, or those that replace them, end, once they are safe.
   *   That is waited for only if it is read
   */
  submit(
    task: Task,
    base: ImageBase | VideoBase,
    edits: Edits,
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
  /** Releases a result for download. @param mayRelease whether the result of the edits with this tag was reviewed */
  release(task: Task, release: Release, mayRelease: (tag: string) => boolean): Promise<ReleaseOutcome>;
}

/** How a release ended. `pending`: edits wait or run; `refused`: the edits have another tag. */
export type ReleaseOutcome = 'released' | 'pending' | 'refused' | 'deleted';

/** Attempts to store edits while others are stored at the same time. */
const MAX_CONFLICTS = 20;

const PENDING_OUTCOME = {
  queued: () => undefined,
  processing: () => undefined,
  failed: ({ error }) => ({ kind: 'failed', sentence: error ?? '' }),
} as const satisfies Record<PendingEdit['status'], (edit: PendingEdit) => EditOutcome | undefined>;

/** How edits ended according to the record; undefined until they have. */
export const outcomeOfEdits = ({ status, edit }: Task): EditOutcome | undefined => {
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

/** What edits take. */
export interface EditsHost {
  readonly jobs: Pick<JobStore, 'get' | 'apply' | 'editState' | 'storeEdits' | 'stopEdits'>;
  readonly system: Pick<System, 'sha256'>;
  /** The files of current results. */
  readonly results: Storage;
  /** Lets workers know of edits that were stored. */
  add(job: Job, task: Task): void;
  /** Waits until the record shows no edits that wait or run. */
  awaitEdits(id: string): Promise<EditOutcome>;
}

/** Tries a change until nobody else changes the edits at the same time. */
const changeEdits = async <R>(
  { jobs, system, results }: EditsHost,
  { id, from, mayChange }: { id: string; from: ImageBase | VideoBase; mayChange: (tag: string) => boolean },
  run: (version: number) => Promise<R | undefined>,
): Promise<Changed<R>> => {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
    const state = await jobs.editState(id);
    if (state?.task.status !== 'done') return { kind: 'gone' };
    const applied = await readAppliedEdits(results, id, from.result.filePrefix);
    if (!mayChange(await tagOfEdits(state.wanted ?? applied, system))) return { kind: 'refused' };
    const value = await run(state.version);
    if (value !== undefined) return { kind: 'changed', value };
  }
  throw new Error('The edits of a task changed all the time.');
};

/** The tag of the edits that a result shows, also of one that cannot be edited. */
const tagOfResult = async ({ results, system }: EditsHost, { id, kind }: Task): Promise<string> => {
  const result = await (kind === 'video' ? readVideoResult : readStoredResult)(results, id);
  return tagOfEdits(await readAppliedEdits(results, id, result?.filePrefix), system);
};

/** The count of accepted edits is read before the tag: a change in between makes the event one of another result. */
const releaseResult = async (
  host: EditsHost,
  id: string,
  release: Release,
  mayRelease: (tag: string) => boolean,
): Promise<ReleaseOutcome> => {
  const { jobs } = host;
  const task = await jobs.get(id);
  if (task?.status !== 'done') return 'deleted';
  if (hasPendingEdits(task)) return 'pending';
  if (!mayRelease(await tagOfResult(host, task))) return 'refused';
  await jobs.apply(id, { type: 'released', release, editsAccepted: task.editsAccepted ?? 0 });
  const after = await jobs.get(id);
  if (after?.status !== 'done') return 'deleted';
  return after.release ? 'released' : 'refused';
};

export const createTaskEdits = (host: EditsHost): TaskEdits => {
  const { jobs, system, results, add, awaitEdits } = host;
  /** Whether edits of a task were stopped since others were accepted: their end does not say so. */
  const stops = new Map<string, Promise<boolean>>();

  const outcomeOf = async (id: string): Promise<EditOutcome> => {
    const outcome = await awaitEdits(id);
    return outcome.kind !== 'deleted' && (await stops.get(id)) === true ? { kind: 'stopped' } : outcome;
  };
  return {
    base: (task) => readEditBase(results, task),
    inForce: async ({ result }, id) => {
      const [body, state] = await Promise.all([
        readAppliedEdits(results, id, result.filePrefix),
        jobs.editState(id),
      ]);
      return { body, tag: await tagOfEdits(state?.wanted ?? body, system) };
    },
    applied: (id, prefix) => readAppliedEdits(results, id, prefix),
    submit: async (task, from, edits, mayReplace) => {
      const { id } = task;
      const changed = await changeEdits(host, { id, from, mayChange: mayReplace }, (version) =>
        jobs.storeEdits(id, edits, version),
      );
      if (changed.kind === 'refused') return undefined;
      if (changed.kind === 'gone') return { outcome: Promise.resolve({ kind: 'deleted' }) };
      stops.delete(id);
      add(changed.value, task);
      return {
        get outcome() {
          return outcomeOf(id);
        },
      };
    },
    stopEdits: async ({ id }, from, mayStop) => {
      const change = changeEdits(host, { id, from, mayChange: mayStop }, (version) =>
        jobs.stopEdits(id, version),
      );
      const wereStopped = change.then((changed) => changed.kind === 'changed' && changed.value);
      stops.set(
        id,
        wereStopped.catch(() => false),
      );
      const { kind } = await change;
      return kind === 'refused' ? undefined : { wereStopped: await wereStopped };
    },
    release: ({ id }, release, mayRelease) => releaseResult(host, id, release, mayRelease),
  };
};
