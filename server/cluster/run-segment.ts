import { failureOf } from '#shared/domain/failure';
import type { FramePlan, FrameReport } from '#shared/domain/plan';
import type { ByteTarget } from '#shared/ports/video';
import type { Storage } from '#shared/ports/storage';
import { openVideoSource } from '#shared/tasks/files/video-files';
import { videoJobOf } from '#shared/tasks/run/process-video';
import type { ClaimOutcome } from '#shared/tasks/jobs/run-claim';
import { isStorageError } from '#shared/tasks/base/service-unavailable';
import { keepAlive } from './keep-alive';
import { withJobFiles } from './local-sources';
import type { ClaimPorts } from './cluster-ports';
import type { SegmentClaim } from './shared-task-store';
import type { UsedModel } from '#shared/domain/image-header';
import type { SegmentFrames } from '#shared/engine/segments/join-segments';
import { inputFolder, readJson, writeJson } from '#shared/tasks/files/task-files';

/** The result of one segment. */
interface SegmentResult extends SegmentFrames {
  readonly models: readonly UsedModel[];
}

/** One analysis of a segment. */
interface SegmentAttempt {
  readonly taskId: string;
  readonly number: number;
  readonly token: string;
}

/** Next to the upload, so that it survives the worker that has claimed the task, and goes with the task. */
const beginningOf = (taskId: string): string => `${inputFolder(taskId)}segment-`;
const keyOf = ({ taskId, number, token }: SegmentAttempt): string =>
  `${beginningOf(taskId)}${number}-${token}.json`;

export const writeSegment = (
  storage: Storage,
  attempt: SegmentAttempt,
  result: SegmentResult,
): Promise<void> => writeJson(storage, keyOf(attempt), result);

/** @returns undefined if there is no such file */
export const readSegment = (storage: Storage, attempt: SegmentAttempt): Promise<SegmentResult | undefined> =>
  readJson(storage, keyOf(attempt));

const removeSegment = (storage: Storage, attempt: SegmentAttempt): Promise<void> =>
  storage.remove(keyOf(attempt));

/** Removes the results of all segments of a task. */
export const removeSegments = (storage: Storage, taskId: string): Promise<void> =>
  storage.remove(beginningOf(taskId));

const NO_TARGET: ByteTarget = {
  write: async () => {
    throw new Error('An analysis wrote a video.');
  },
};

/** Searches and plans the frames of a segment and stores what was found. */
const analyse = async (
  { task, settings, number, token, segment }: SegmentClaim,
  { engine, storage }: Pick<ClaimPorts, 'engine'> & { readonly storage: Storage },
  onFrames: (done: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const reports: FrameReport[] = [];
  const plans: FramePlan[] = [];
  const { models } = await engine.anonymiseVideo(
    { ...videoJobOf(task, settings), analysis: segment.analysed },
    {
      source: await openVideoSource(storage, task),
      target: NO_TARGET,
      report: async (someReports, somePlans) => {
        reports.push(...someReports);
        plans.push(...somePlans);
      },
    },
    ({ framesDone }) => onFrames(framesDone),
    signal,
  );
  signal.throwIfAborted();
  await writeSegment(storage, { taskId: task.id, number, token }, { reports, plans, models });
};

/**
 * Works on a claimed segment to its end. Never rejects unless the store does.
 *
 * @param storage gives the upload a path on this machine
 * @param stop aborted when the worker stops, or the caller's own claim has ended: the segment is put back
 */
export const runSegmentWith = async (
  claim: SegmentClaim,
  ports: ClaimPorts,
  storage: Storage,
  stop: AbortSignal,
): Promise<ClaimOutcome> => {
  const { store, log } = ports;
  let framesDone = 0;
  const kept = keepAlive(() => store.heartbeatSegment(claim, framesDone), ports);
  const removeFile = (): Promise<void> =>
    removeSegment(ports.files, { taskId: claim.task.id, number: claim.number, token: claim.token }).catch(
      (error: unknown) => log.error('The file of a lost segment was not removed.', error),
    );
  const onFrames = (done: number): void => void (framesDone = done);
  try {
    const signal = AbortSignal.any([kept.signal, stop]);
    await ports.engine.retrying(
      () => analyse(claim, { engine: ports.engine, storage }, onFrames, signal),
      signal,
    );
    if (await kept.conclude(() => store.completeSegment(claim))) return 'completed';
    await removeFile();
    return 'lost';
  } catch (error) {
    await kept.end();
    if (kept.signal.aborted) {
      await removeFile();
      return 'lost';
    }
    if (stop.aborted || isStorageError(error)) {
      await kept.conclude(() => store.requeueSegment(claim));
      if (stop.aborted) return 'put-off';
      log.error('A segment was put back because its files could not be read or written.', error);
      return 'files-unavailable';
    }
    const failure = failureOf(error);
    if (failure.kind === 'fault') log.error('A segment failed.', error);
    await kept.conclude(() => store.failSegment(claim, failure));
    return 'completed';
  }
};

/** The same with files of its own. */
export const runSegment = (
  claim: SegmentClaim,
  ports: ClaimPorts,
  stop: AbortSignal,
): Promise<ClaimOutcome> =>
  withJobFiles(ports.files, ports.temporaryFolder, (storage) => runSegmentWith(claim, ports, storage, stop));
