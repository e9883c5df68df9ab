import { failureOf, type Failure } from '#shared/domain/failure';
import type { TaskEvent } from '#shared/domain/task';
import { editImage } from '#shared/tasks/edits/edit-image';
import { editVideo } from '#shared/tasks/edits/edit-video';
import { editFailureOf } from '#shared/tasks/edits/run-edits';
import type { Storage } from '#shared/ports/storage';
import { outputFolder, removeTaskFiles } from '#shared/tasks/files/task-files';
import { memoryOf } from '#shared/tasks/run/memory-gate';
import { processMedia } from '#shared/tasks/run/process-media';
import { repeatedWork } from '#shared/tasks/run/repeated-work';
import { startClock, timedEngine, type TaskClock } from '#shared/tasks/run/task-clock';
import { TaskStopped } from '#shared/tasks/run/task-stopped';
import { timeoutSentence } from '#shared/tasks/run/task-timeout';
import type { ClaimOutcome, ClaimPorts } from './claim-ports';
import { enqueue } from './enqueue';
import { isOfFiles } from './is-of-files';
import { withJobFolder } from './job-folder';
import { keepClaim, type KeptClaim } from './keep-claim';
import { carryOver, layeredStorage } from './layered-storage';
import { removeReplacedFiles } from './replaced-files';
import { withLocalSources } from './local-sources';
import { processInSegments } from './process-in-segments';
import { removeSegments } from './segment-files';
import type { Claim, ResultFolders } from './shared-task-store';

/** A claim that is kept alive. */
interface Held {
  readonly claim: Claim;
  readonly kept: KeptClaim;
  readonly ports: ClaimPorts;
}

/** A claim and the files of the work on it. */
interface Work extends Held {
  readonly storage: Storage;
}

const processFile = async (work: Work): Promise<void> => {
  const { claim, kept, storage, ports } = work;
  const { task, settings } = claim;
  const { engine, system, log, store } = ports;
  if (ports.dividesVideos && (await processInSegments(work))) return;
  const process = repeatedWork(
    () => ports.files.remove(folderOf(work)),
    () =>
      processMedia(
        task,
        { engine, storage, system, log, subjects: store.subjects },
        { ...settings, maskFiles: 'written' },
        { apply: async (_id, event) => kept.report(event) },
        kept.signal,
      ),
  );
  await engine.retrying(process, kept.signal);
};

const applyEdits = async ({ claim, kept, storage, ports }: Work): Promise<void> => {
  const { task, wanted, settings } = claim;
  if (!wanted) throw new Error('Edits were claimed, but none are stored.');
  const { body, request } = wanted;
  const editPorts = {
    ports: {
      ...ports,
      storage,
      taskStore: { get: async () => task },
      subjects: ports.store.subjects,
    },
    settings,
    onProgress: (progress: number) => kept.report({ type: 'edit-progressed', progress }),
    signal: kept.signal,
  };
  const apply = (): Promise<boolean> =>
    request.kind === 'image'
      ? editImage(task.id, body, request.edits, editPorts)
      : editVideo(task.id, body, request.edits, editPorts);
  const isApplied = await ports.engine.retrying(apply, kept.signal);
  if (!isApplied) throw new Error('The result that was to be edited does not exist.');
};

/** The folders of the result from now on. */
const foldersAfter = ({ claim, ports }: Held): Promise<ResultFolders> => {
  const { task, folders, token } = claim;
  return carryOver(ports.files, { taskId: task.id, folders, target: token });
};

const succeed = async (held: Held): Promise<ClaimOutcome> => {
  const { claim, kept, ports } = held;
  const atMs = ports.system.nowMs();
  const event: TaskEvent =
    claim.work === 'process' ? { type: 'finished', atMs } : { type: 'edit-applied', atMs, laterWait: false };
  const folders = await foldersAfter(held);
  if (!(await kept.complete([event], folders))) return loseFolder(held);
  if (claim.work === 'process' && claim.task.kind === 'video') await removeSegmentFiles(held);
  await removeReplacedFiles(ports.files, claim.task.id, claim.folders, folders).catch((error: unknown) =>
    ports.log.error('Files of a replaced result were not removed.', error),
  );
  return 'completed';
};

const removeSegmentFiles = ({ claim, ports }: Held): Promise<void> =>
  removeSegments(ports.files, claim.task.id).catch((error: unknown) =>
    ports.log.error('Files of segments were not removed; they go with the task.', error),
  );

const folderOf = ({ claim: { task, token } }: Held): string => `${outputFolder(task.id)}${token}/`;

/**
 * Removes the files of a claim that has ended, unless they are the result: the database may have stored it although its
 * answer was lost.
 */
const loseFolder = async (held: Held): Promise<ClaimOutcome> => {
  const { claim, ports } = held;
  try {
    const folders = await ports.store.folders(claim.task.id);
    if (folders.includes(claim.token)) return 'completed';
    await ports.files.remove(folderOf(held));
  } catch (error) {
    ports.log.error('Files of lost work were not removed; they are removed later.', error);
  }
  return 'lost';
};

/** Ends the claim with a failure. A task that has failed keeps no files; after failed edits, the old result stays. */
const fail = async (held: Held, failure: Failure): Promise<ClaimOutcome> => {
  const { claim, kept, ports } = held;
  const isProcess = claim.work === 'process';
  const atMs = ports.system.nowMs();
  const event: TaskEvent = isProcess
    ? { type: 'failed', atMs, failure }
    : { type: 'edit-failed', error: failure.sentence, atMs, laterWait: false };
  const completed = await kept.complete([event]);
  if (!completed) return loseFolder(held);
  if (!isProcess) {
    await loseFolder(held);
    return 'completed';
  }
  await removeTaskFiles(ports.files, claim.task.id).catch((error: unknown) =>
    ports.log.error('Files of a failed task were not removed.', error),
  );
  return 'completed';
};

/** Gives the task back. It does not count as an attempt. */
const putOff = async (held: Held, outcome: 'put-off' | 'files-unavailable'): Promise<ClaimOutcome> => {
  const completed = await held.kept.complete([
    { type: held.claim.work === 'process' ? 'put-off' : 'edit-queued' },
  ]);
  await loseFolder(held);
  if (completed && completed.next) enqueue([completed.next], held.ports);
  return outcome;
};

const endStopped = async (held: Held, { reason }: AbortSignal): Promise<ClaimOutcome> => {
  const { cause, limitMs } = reason instanceof TaskStopped ? reason : new TaskStopped('deletion');
  if (cause === 'shutdown') return putOff(held, 'put-off');
  if (cause !== 'timeout') {
    await held.kept.end();
    return loseFolder(held);
  }
  return fail(held, { kind: 'timeout', sentence: timeoutSentence(limitMs) });
};

const endFailed = (held: Held, error: unknown): Promise<ClaimOutcome> => {
  const { kept, ports, claim } = held;
  if (kept.signal.aborted) return endStopped(held, kept.signal);
  if (isOfFiles(error)) {
    ports.log.error('A task was put back because its files could not be read or written.', error);
    return putOff(held, 'files-unavailable');
  }
  const failure = claim.work === 'edits' ? editFailureOf(error) : failureOf(error);
  if (failure.kind === 'fault' || claim.work === 'edits') ports.log.error('A task failed.', error);
  return fail(held, failure);
};

/**
 * Works on a claim to its end. Never rejects unless the store does.
 *
 * Each claim writes into a folder of its own, and the result appears in the same transaction that ends the claim: of two
 * workers with the same task, only one can change the result.
 *
 * @param stop aborted when the worker stops: the task is put back
 */
export const runClaim = async (claim: Claim, ports: ClaimPorts, stop: AbortSignal): Promise<ClaimOutcome> => {
  const kept = keepClaim(claim, ports);
  const putBack = (): void => kept.stop(new TaskStopped('shutdown'));
  const view = layeredStorage(ports.files, {
    taskId: claim.task.id,
    folders: claim.folders,
    target: claim.token,
  });
  const { task, settings } = claim;
  let clock: TaskClock | undefined;
  const report: KeptClaim['report'] = (event) => {
    if (event.type === 'progressed') clock?.takeSize(event.megapixels);
    kept.report(event);
  };
  const held: Held = { claim, kept: { ...kept, report }, ports };
  const run = (folder: string): Promise<void> => {
    const engine = clock ? timedEngine(ports.engine, clock) : ports.engine;
    const work = { ...held, ports: { ...ports, engine }, storage: withLocalSources(view, folder) };
    return claim.work === 'process' ? processFile(work) : applyEdits(work);
  };
  const runInTime = async (): Promise<void> => {
    kept.signal.throwIfAborted();
    clock = startClock(task, settings, ports.timer, kept.stop);
    await withJobFolder(ports.temporaryFolder, run);
  };
  const memory = memoryOf(task, settings.limits);
  stop.addEventListener('abort', putBack);
  try {
    if (stop.aborted) putBack();
    await ports.images.run(runInTime, () => (kept.signal.aborted ? 0 : memory));
    kept.signal.throwIfAborted();
    return await succeed(held);
  } catch (error) {
    return await endFailed(held, error);
  } finally {
    stop.removeEventListener('abort', putBack);
    clock?.end();
  }
};
