import type { Task } from '../../domain/task';
import { ApiError } from '../contract/errors';
import { pathOf, type RouteName } from '../contract/routes';
import type { ApiService } from './service';
import type { ImageBase, VideoBase } from '../../tasks/edits/task-edits';
import { NO_SUBJECT, type Subject } from '../../domain/subject';
import type { SubjectStore } from '../../ports/storage';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** What is no UUID never reaches a store. */
export const isUuid = (id: string): boolean => UUID.test(id);

/** The task that a path names, or undefined. What is no UUID never reaches a store. */
export const readTask = async ({ tasks }: ApiService, id: string): Promise<Task | undefined> =>
  isUuid(id) ? tasks.get(id.toLowerCase()) : undefined;

/** @throws ApiError 404 */
export const findTask = async (service: ApiService, id: string): Promise<Task> => {
  const task = await readTask(service, id);
  if (!task) throw new ApiError('unknown_task');
  return task;
};

/** @throws ApiError 404, or 422 that names the endpoint for videos */
export const findImageTask = async (
  service: ApiService,
  id: string,
  code: 'video_not_image' | 'no_masks_of_video',
  videoRoute: RouteName,
): Promise<Task> => {
  const task = await findTask(service, id);
  if (task.kind === 'video') throw new ApiError(code, pathOf(videoRoute, task.id));
  return task;
};

/** @throws ApiError 422 that names the status of a task that has no result */
export const requireDone = ({ status, failure }: Task): void => {
  switch (status) {
    case 'done':
      return;
    case 'failed':
      throw new ApiError('task_failed', failure?.sentence ?? '');
    case 'deleted':
      throw new ApiError('files_deleted');
    case 'queued':
    case 'processing':
      throw new ApiError('task_not_done', status);
  }
};

/** A done task whose result can be edited, and what edits start from. */
export interface EditableTask {
  readonly task: Task;
  readonly base: ImageBase | VideoBase;
}

/** @throws ApiError 404, 422 */
export const findEditable = async (service: ApiService, id: string): Promise<EditableTask> => {
  const task = await findTask(service, id);
  requireDone(task);
  const base = await service.tasks.edits.base(task);
  if (!base) throw new ApiError('not_editable');
  return { task, base };
};

/**
 * A file of a done task, or the reason why it is missing: the task may have been deleted in the meantime.
 *
 * @throws ApiError 404, 422
 */
export const orExplain = async <T>(file: T | undefined, service: ApiService, id: string): Promise<T> => {
  if (file !== undefined) return file;
  requireDone(await findTask(service, id));
  throw new Error('A done task has lost a file.');
};

/** Reads the result of a task as it is now; undefined where the task was deleted. */
type ReadResult<R> = (id: string) => Promise<R | undefined>;

/** @param read the result of a task @throws ApiError 404, 422 */
export const resultOf = async <R>(service: ApiService, task: Task, read: ReadResult<R>): Promise<R> => {
  requireDone(task);
  return orExplain(await read(task.id), service, task.id);
};

/** A file of a result, read with that result. */
interface FileOf<R, F> {
  readonly result: R;
  readonly file: F;
}

/**
 * Reads a file of a done task's result. Edits may replace the result in between: then it reads the new one.
 *
 * @throws ApiError 404, 422
 */
export const fileOfResult = async <R extends { readonly filePrefix?: string }, F>(
  service: ApiService,
  task: Task,
  resultNow: ReadResult<R>,
  read: (result: R) => Promise<F | undefined>,
): Promise<FileOf<R, F>> => {
  const result = await resultOf(service, task, resultNow);
  const file = await read(result);
  if (file !== undefined) return { result, file };
  const isReplaced = ((await resultNow(task.id))?.filePrefix ?? '') !== (result.filePrefix ?? '');
  if (isReplaced) return fileOfResult(service, task, resultNow, read);
  return { result, file: await orExplain<F>(undefined, service, task.id) };
};

/** @throws ApiError 403 where the service does not recognise persons */
export const requireSubjects = ({ subjects }: ApiService): SubjectStore => {
  if (!subjects) throw new ApiError('subjects_disabled');
  return subjects;
};

/** What is no UUID never reaches a store. @throws ApiError 403, 404 */
export const findSubject = async (service: ApiService, id: string): Promise<Subject> => {
  const subjects = requireSubjects(service);
  const subject = isUuid(id) ? await subjects.get(id.toLowerCase()) : undefined;
  if (!subject) throw new ApiError('unknown_subject');
  return subject;
};

/** Checks `show` of an upload or of edits before the work is accepted. @throws ApiError 403, 422 */
export const requireShown = async (service: ApiService, show: string | undefined): Promise<void> => {
  if (show === undefined || show === NO_SUBJECT) return;
  if (!(await requireSubjects(service).get(show.toLowerCase()))) throw new ApiError('unknown_shown_subject');
};
