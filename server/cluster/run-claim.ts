import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failureOf, type Failure } from '#shared/domain/failure';
import type { TaskEvent } from '#shared/domain/task';
import { editImage } from '#shared/tasks/edits/edit-image';
import { editVideo } from '#shared/tasks/edits/edit-video';
import { EDIT_FAULT_SENTENCE } from '#shared/tasks/edits/run-edits';
import type { Storage } from '#shared/ports/storage';
import { outputFolder, removeTaskFiles } from '#shared/tasks/files/task-files';
import { processMedia } from '#shared/tasks/run/process-media';
import { TaskStopped } from '#shared/tasks/run/task-stopped';
import { timeoutSentence } from '#shared/tasks/run/task-timeout';
import type { ClaimOutcome, ClaimPorts } from './claim-ports';
import { enqueue } from './enqueue';
import { isOfFiles } from './is-of-files';
import { keepClaim, type KeptClaim } from './keep-claim';
import { carryOver, layeredStorage } from './layered-storage';
import { removeReplacedFiles } from './replaced-files';
import { withLocalSources } from './local-sources';
import { processInSegments } from './process-in-segments';
import { removeSegments } from './segment-files';
import type { Claim, ResultFolders } from './shared-task-store';

/** A claim and what the work on it uses. */
interface Work {
  readonly claim: Claim;
  readonly kept: KeptClaim;
  readonly storage: Storage;
  readonly ports: ClaimPorts;
}

const processFile = async (work: Work): Promise<void> => {
  const { claim, kept, storage, ports } = work;
  const { task, settings } = claim;
  const { engine, system, log } = ports;
  if (ports.dividesVideos && (await processInSegments(work))) return;
  await processMedia(
    task,
    { engine, storage, system, log },
    { ...settings, maskFiles: 'written' },
    { apply: async (_id, event) => kept.report(event) },
    kept.signal,
  );
};

const applyEdits = async ({ claim, kept, storage, ports }: Work): Promise<void> => {
  const { task, wanted, settings } = claim;
  if (!wanted) throw new Error('Edits were claimed, but none are stored.');
  const { body, request } = wanted;
  const editPorts = {
    ports: { ...ports, storage, taskStore: { get: async () => task } },
    settings,
    onProgress: (progress: number) => kept.report({ type: 'edit-progressed', progress }),
    signal: kept.signal,
  };
  const isApplied =
    request.kind === 'image'
      ? await editImage(task.id, body, request.edits, editPorts)
      : await editVideo(task.id, body, request.edits, editPorts);
  if (!isApplied) throw new Error('The result that was to be edited does not exist.');
};

/** The folders of the result from now on. */
const foldersAfter = ({ claim, ports }: Work): Promise<ResultFolders> => {
  const { task, folders, token } = claim;
  return carryOver(ports.files, { taskId: task.id, folders, target: token });
};

const succeed = async (work: Work): Promise<ClaimOutcome> => {
  const { claim, kept, ports } = work;
  const atMs = ports.system.nowMs();
  const event: TaskEvent =
    claim.work === 'process' ? { type: 'finished', atMs } : { type: 'edit-applied', atMs, laterWait: false };
  const folders = await foldersAfter(work);
  if (!(await kept.complete([event], folders))) return loseFolder(work);
  if (claim.work === 'process' && claim.task.kind === 'video') await removeSegmentFiles(work);
  await removeReplacedFiles(ports.files, claim.task.id, claim.folders, folders).catch((error: unknown) =>
    ports.log.error('Files of a replaced result were not removed.', error),
  );
  return 'completed';
};

const removeSegmentFiles = ({ claim, ports }: Work): Promise<void> =>
  removeSegments(ports.files, claim.task.id).catch((error: unknown) =>
    ports.log.error('Files of segments were not removed; they go with the task.', error),
  );

const folderOf = ({ claim: { task, token } }: Work): string => `${outputFolder(task.id)}${token}/`;

/** The claim has ended: its files are of no use. */
const loseFolder = async (work: Work): Promise<ClaimOutcome> => {
  await work.ports.files
    .remove(folderOf(work))
    .catch((error: unknown) =>
      work.ports.log.error('Files of lost work were not removed; they are removed later.', error),
    );
  return 'lost';
};

/** Ends the claim with a failure. A task that has failed keeps no files; after failed edits, the old result stays. */
const fail = async (work: Work, failure: Failure): Promise<ClaimOutcome> => {
  const { claim, kept, ports } = work;
  const isProcess = claim.work === 'process';
  const atMs = ports.system.nowMs();
  const event: TaskEvent = isProcess
    ? { type: 'failed', atMs, failure }
    : { type: 'edit-failed', error: failure.sentence, atMs, laterWait: false };
  const completed = await kept.complete([event]);
  if (!completed) return loseFolder(work);
  if (!isProcess) {
    await loseFolder(work);
    return 'completed';
  }
  await removeTaskFiles(ports.files, claim.task.id).catch((error: unknown) =>
    ports.log.error('Files of a failed task were not removed.', error),
  );
  return 'completed';
};

/** Gives the task back. It does not count as an attempt. */
const putOff = async (work: Work, outcome: 'put-off' | 'files-unavailable'): Promise<ClaimOutcome> => {
  const completed = await work.kept.complete([
    { type: work.claim.work === 'process' ? 'put-off' : 'edit-queued' },
  ]);
  await loseFolder(work);
  if (completed && completed.next) enqueue([completed.next], work.ports);
  return outcome;
};

const endStopped = async (work: Work, { reason }: AbortSignal): Promise<ClaimOutcome> => {
  const { cause } = reason instanceof TaskStopped ? reason : { cause: 'deletion' };
  if (cause === 'shutdown') return putOff(work, 'put-off');
  if (cause !== 'timeout') {
    await work.kept.end();
    return loseFolder(work);
  }
  return fail(work, { kind: 'timeout', sentence: timeoutSentence(work.claim.settings.taskTimeoutMs ?? 0) });
};

const endFailed = (work: Work, error: unknown): Promise<ClaimOutcome> => {
  const { kept, ports, claim } = work;
  if (kept.signal.aborted) return endStopped(work, kept.signal);
  if (isOfFiles(error)) {
    ports.log.error('A task was put back because its files could not be read or written.', error);
    return putOff(work, 'files-unavailable');
  }
  const failure = failureOf(error);
  if (failure.kind === 'fault' || claim.work === 'edits') ports.log.error('A task failed.', error);
  return fail(work, claim.work === 'edits' ? { ...failure, sentence: EDIT_FAULT_SENTENCE } : failure);
};

const startTimeout = ({ claim: { settings }, kept, ports: { timer } }: Work): (() => void) =>
  settings.taskTimeoutMs === undefined
    ? () => undefined
    : timer.after(settings.taskTimeoutMs, () => kept.stop(new TaskStopped('timeout')));

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
  const jobFolder = await mkdtemp(join(ports.temporaryFolder, 'job-'));
  const view = layeredStorage(ports.files, {
    taskId: claim.task.id,
    folders: claim.folders,
    target: claim.token,
  });
  const work: Work = { claim, kept, ports, storage: withLocalSources(view, jobFolder) };
  const endTimeout = startTimeout(work);
  stop.addEventListener('abort', putBack);
  try {
    if (stop.aborted) putBack();
    kept.signal.throwIfAborted();
    await (claim.work === 'process' ? processFile(work) : applyEdits(work));
    kept.signal.throwIfAborted();
    return await succeed(work);
  } catch (error) {
    return await endFailed(work, error);
  } finally {
    stop.removeEventListener('abort', putBack);
    endTimeout();
    await rm(jobFolder, { recursive: true, force: true });
  }
};
