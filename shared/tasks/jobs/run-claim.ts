import { failureOf, type Failure, type FailureKind } from '../../domain/failure';
import type { Task, TaskEvent } from '../../domain/task';
import type { Engine } from '../../ports/host-engine';
import type { Storage } from '../../ports/storage';
import type { JobStore, Claim, Job, ResultFolders, WorkSettings } from '../base/job-store';
import type { TaskPorts } from '../base/settings';
import { type WeightedQueue, memoryOf } from '../base/weighted-queue';
import { editImage } from '../edits/edit-image';
import { editVideo } from '../edits/edit-video';
import { INTERRUPTED_EDITS_MESSAGE } from '../run/outcome';
import { processImage, type ProcessSettings } from '../run/process-image';
import { processVideo } from '../run/process-video';
import { startClock, type TaskClock, TaskStopped, timeoutMessage } from '../run/task-clock';

/** How work on a claim ended, for the worker. */
export type ClaimOutcome = 'completed' | 'lost' | 'put-off' | 'files-unavailable';

/** Whether an event tells progress: of several ones, only the last counts. */
export const isProgress = ({ type }: TaskEvent): boolean =>
  type === 'progressed' || type === 'edit-progressed';

/** A claim that is kept alive. */
export interface KeptClaim {
  /** Aborts with a `TaskStopped` when the claim has ended. */
  readonly signal: AbortSignal;
  /** Puts the beginning of the work on record, unless the claim has done so. */
  begin?(): Promise<void>;
  /** Reports progress, and facts of the result. */
  report(event: TaskEvent): void;
  /**
   * Ends the claim with its last events. See `JobStore.complete`.
   *
   * @returns false also if the store did not answer for long
   */
  complete(events: readonly TaskEvent[], folders?: ResultFolders): ReturnType<JobStore['complete']>;
  /** Ends what keeps a claim alive that others have ended. */
  end(): Promise<void>;
  /** Aborts the work for another reason. */
  stop(reason: TaskStopped): void;
}

/** Where an attempt reads and writes files of its task. */
export interface AttemptWorkspace {
  /** @param run gets the files as the attempt sees them; an upload has a path on this machine if ffmpeg needs one */
  use(run: (storage: Storage) => Promise<void>): Promise<void>;
  /** Removes what an earlier run of this attempt has written. */
  clean(): Promise<void>;
  /** Completes the files. @returns the folders of the result from now on; undefined: unchanged */
  finish(): Promise<ResultFolders | undefined>;
  /** Removes what the result does not need any more. */
  tidy(folders: ResultFolders | undefined): Promise<void>;
  /** Ends the claim of a task that fails, and removes the files of the task. @returns false if the claim had ended */
  removeAll(end: () => Promise<boolean>): Promise<boolean>;
  /** Removes what the attempt has written, unless that is the result. */
  abandon(): Promise<'completed' | 'lost'>;
}

/** A claim and what the work on it uses. */
export interface ClaimWork {
  readonly claim: Claim;
  readonly kept: KeptClaim;
  readonly storage: Storage;
  readonly engine: TaskPorts['engine'];
}

/** What a worker needs. */
export interface ClaimHost extends Pick<TaskPorts, 'engine' | 'system' | 'log' | 'subjects' | 'timer'> {
  keep(claim: Claim): KeptClaim;
  workplaceOf(claim: Claim): AttemptWorkspace;
  /** Processes a file in another way. @returns whether it did */
  processOtherwise?(work: ClaimWork): Promise<boolean>;
  /** Where claimed tasks wait until there is room for their images; absent: there is. */
  readonly images?: WeightedQueue;
  /** Whether an error passes, so that the task is put back: another worker may have what this one lacks. */
  isPassing(error: unknown): boolean;
  /** Lets workers know of the next job of a task. */
  add(job: Job): void;
}

const EDIT_FAULT_SENTENCE = 'Something went wrong inside the service while it applied the edits.';

/** Sentences about edits where those about files do not fit. */
const EDIT_SENTENCES: Partial<Record<FailureKind, string>> = {
  fault: EDIT_FAULT_SENTENCE,
  interrupted: INTERRUPTED_EDITS_MESSAGE,
};

/** Failures of processing with a cause that the operator has to know. */
const LOGGED: ReadonlySet<FailureKind> = new Set(['no-storage', 'fault']);

const PROCESS = { image: processImage, video: processVideo } as const satisfies Record<
  Task['kind'],
  typeof processImage
>;

/**
 * Work that may run several times, see `Engine.retrying`.
 *
 * @param clean removes what an earlier run has written; called before each run but the first
 */
const repeatedWork = (clean: () => Promise<void>, work: () => Promise<void>): (() => Promise<void>) => {
  let isRepeated = false;
  return async () => {
    if (isRepeated) await clean();
    isRepeated = true;
    await work();
  };
};

/** The work on one claim. */
interface Held {
  readonly claim: Claim;
  readonly kept: KeptClaim;
  readonly place: AttemptWorkspace;
  readonly host: ClaimHost;
}

const processFile = async (work: ClaimWork, { place, host }: Held): Promise<void> => {
  const { claim, kept, storage, engine } = work;
  if (await host.processOtherwise?.(work)) return;
  // Not all of them by a spread: a server does not know its address before it listens.
  const given: WorkSettings & Pick<Partial<ProcessSettings>, 'maskFiles'> = claim.settings;
  const { limits, saveMask, keepMetadata = false, maskFiles = 'written' } = given;
  const settings: ProcessSettings = { limits, saveMask, keepMetadata, maskFiles };
  const process = repeatedWork(
    () => place.clean(),
    () =>
      PROCESS[claim.task.kind]({
        task: claim.task,
        ports: { engine, storage, system: host.system, log: host.log, subjects: host.subjects },
        settings,
        report: (event) => kept.report(event),
        signal: kept.signal,
      }),
  );
  await engine.retrying(process, kept.signal);
};

const applyEdits = async ({ claim, kept, storage, engine }: ClaimWork, { host }: Held): Promise<void> => {
  const { task, wanted, settings } = claim;
  if (!wanted) throw new Error('Edits were claimed, but none are stored.');
  const { system, subjects } = host;
  const editPorts = {
    ports: { engine, storage, system, subjects, taskStore: { get: async () => task } },
    settings,
    onProgress: (progress: number) => kept.report({ type: 'edit-progressed', progress }),
    signal: kept.signal,
  };
  const apply = (): Promise<boolean> => {
    const applyTo = task.kind === 'image' ? editImage : editVideo;
    return applyTo(task.id, wanted, editPorts);
  };
  const isApplied = await engine.retrying(apply, kept.signal);
  if (!isApplied) throw new Error('The result that was to be edited does not exist.');
};

const succeed = async ({ claim, kept, place, host }: Held): Promise<ClaimOutcome> => {
  const atMs = host.system.nowMs();
  const event: TaskEvent =
    claim.work === 'process' ? { type: 'finished', atMs } : { type: 'edit-applied', atMs, laterWait: false };
  const folders = await place.finish();
  if (!(await kept.complete([event], folders))) return place.abandon();
  await place.tidy(folders);
  return 'completed';
};

/** Ends the claim with a failure. A task that has failed keeps no files; after failed edits, the old result stays. */
const fail = async ({ claim, kept, place, host }: Held, failure: Failure): Promise<ClaimOutcome> => {
  const atMs = host.system.nowMs();
  if (claim.work === 'process') {
    const end = async (): Promise<boolean> =>
      (await kept.complete([{ type: 'failed', atMs, failure }])) !== false;
    return (await place.removeAll(end)) ? 'completed' : place.abandon();
  }
  const event: TaskEvent = { type: 'edit-failed', error: failure.sentence, atMs, laterWait: false };
  const completed = await kept.complete([event]);
  const left = await place.abandon();
  return completed ? 'completed' : left;
};

/** Gives the task back. It does not count as an attempt. */
const requeue = async (
  { claim, kept, place, host }: Held,
  outcome: 'put-off' | 'files-unavailable',
): Promise<ClaimOutcome> => {
  const completed = await kept.complete([{ type: claim.work === 'process' ? 'put-off' : 'edit-queued' }]);
  await place.abandon();
  if (completed && completed.next) host.add(completed.next);
  return outcome;
};

const endStopped = async (held: Held, { reason }: AbortSignal): Promise<ClaimOutcome> => {
  const { cause, limitMs } = reason instanceof TaskStopped ? reason : new TaskStopped('deletion');
  if (cause === 'shutdown') return requeue(held, 'put-off');
  if (cause === 'timeout') return fail(held, { kind: 'timeout', sentence: timeoutMessage(limitMs) });
  await held.kept.end();
  return held.place.abandon();
};

const endFailed = async (held: Held, error: unknown): Promise<ClaimOutcome> => {
  const { kept, claim, host } = held;
  if (kept.signal.aborted) return endStopped(held, kept.signal);
  if (host.isPassing(error)) {
    host.log.error('A task was put back because its files could not be read or written.', error);
    return requeue(held, 'files-unavailable');
  }
  const failure = failureOf(error);
  if (claim.work === 'edits') {
    host.log.error('Edits failed.', error);
    return fail(held, { ...failure, sentence: EDIT_SENTENCES[failure.kind] ?? failure.sentence });
  }
  if (LOGGED.has(failure.kind)) host.log.error('A task failed.', error);
  return fail(held, failure);
};

/** The same engine. The time runs in attempts only, and again in each of them: not while work waits for its turn. */
export const timedEngine = <T extends Pick<Engine, 'retrying'>>(engine: T, clock: TaskClock): T => {
  const retrying: Engine['retrying'] = (work, signal) => {
    clock.end();
    const attempt: typeof work = async () => {
      clock.restart();
      try {
        return await work();
      } finally {
        clock.end();
      }
    };
    return engine.retrying(attempt, signal);
  };
  // Not spread: an engine in a thread or process does not list its methods.
  return Object.assign(Object.create(engine) as T, { retrying });
};

/**
 * Works on a claim to its end. Rejects only if its end cannot be put on record.
 *
 * @param stop aborted when the worker stops: the task is put back
 */
export const runClaim = async (claim: Claim, host: ClaimHost, stop: AbortSignal): Promise<ClaimOutcome> => {
  const { task, settings } = claim;
  let clock: TaskClock | undefined;
  const alive = host.keep(claim);
  const report: KeptClaim['report'] = (event) => {
    if (event.type === 'progressed') clock?.takeSize(event.megapixels);
    alive.report(event);
  };
  const kept = { ...alive, report };
  const held: Held = { claim, kept, place: host.workplaceOf(claim), host };
  const run = (storage: Storage): Promise<void> => {
    const engine = clock ? timedEngine(host.engine, clock) : host.engine;
    const work = { claim, kept, storage, engine };
    return claim.work === 'process' ? processFile(work, held) : applyEdits(work, held);
  };
  const runInTime = async (): Promise<void> => {
    kept.signal.throwIfAborted();
    await kept.begin?.();
    clock = startClock(task, settings, host.timer, kept.stop);
    await held.place.use(run);
  };
  const putBack = (): void => kept.stop(new TaskStopped('shutdown'));
  stop.addEventListener('abort', putBack);
  try {
    if (stop.aborted) putBack();
    const memory = (): number => (kept.signal.aborted ? 0 : memoryOf(task, settings.limits));
    await (host.images ? host.images.run(runInTime, memory) : runInTime());
    clock?.end();
    return await succeed(held);
  } catch (error) {
    clock?.end();
    return await endFailed(held, error);
  } finally {
    stop.removeEventListener('abort', putBack);
  }
};
