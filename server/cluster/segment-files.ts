import type { UsedModel } from '#shared/domain/provenance';
import type { SegmentFrames } from '#shared/engine/segments/join-segments';
import type { Storage } from '#shared/ports/storage';
import { inputFolder, readJson, writeJson } from '#shared/tasks/files/task-files';

/** The result of one segment. */
export interface SegmentResult extends SegmentFrames {
  readonly models: readonly UsedModel[];
}

/** One analysis of a segment. */
interface SegmentAttempt {
  readonly taskId: string;
  readonly number: number;
  readonly token: string;
}

/** Beside the upload, so that it survives the worker that has claimed the task, and goes with the task. */
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

export const removeSegment = (storage: Storage, attempt: SegmentAttempt): Promise<void> =>
  storage.remove(keyOf(attempt));

/** Removes the results of all segments of a task. */
export const removeSegments = (storage: Storage, taskId: string): Promise<void> =>
  storage.remove(beginningOf(taskId));
