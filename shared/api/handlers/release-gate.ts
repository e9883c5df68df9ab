import { ApiError } from '../contract/errors';
import { ROUTES, type Route, type RouteName } from '../contract/routes';
import type { HandlerAnswer } from '../http/http';
import { mayChange } from '../http/if-match';
import { findTask, readTask, requireDone } from './find-task';
import type { ApiService, Call, Handler } from './service';
import { success } from './task-handlers';

/**
 * The time of the release; undefined where there is no result yet, of which the endpoint says why.
 *
 * @throws ApiError 422
 */
const requireReleased = async (service: ApiService, id: string): Promise<number | undefined> => {
  const task = await readTask(service, id);
  if (task?.status !== 'done') return undefined;
  if (!task.release) throw new ApiError('not_released');
  return task.release.atMs;
};

/**
 * The only way to the files of results: where the host has a gate, they are answered only between a release and the next
 * change. It is asked before and after, because edits may replace the result while it is read.
 *
 * @throws ApiError 422
 */
export const behindGate = async (
  name: RouteName,
  { id, service }: Pick<Call<RouteName>, 'id' | 'service'>,
  answer: () => Promise<HandlerAnswer>,
): Promise<HandlerAnswer> => {
  if (!(ROUTES[name] as Route).isDownload) return answer();
  const before = await requireReleased(service, id);
  const answered = await answer();
  if ((await requireReleased(service, id)) !== before) throw new ApiError('not_released');
  return answered;
};

/** `POST /v1/file/{id}/release` */
export const releaseFile: Handler<'releaseFile'> = async ({ id, query, request, service }) => {
  const { tasks, settings, system } = service;
  if (!settings.releaseGate) throw new ApiError('no_release_gate');
  if (tasks.isStopping()) throw new ApiError('stopping');
  const task = await findTask(service, id);
  requireDone(task);
  const { reviewer } = query;
  const release = { atMs: system.nowMs(), ...(reviewer !== undefined && { reviewer }) };
  switch (await tasks.edits.release(task, release, mayChange(request))) {
    case 'released':
      return { value: success('The result is released.') };
    case 'pending':
      throw new ApiError('edits_pending');
    case 'refused':
      throw new ApiError('edits_changed');
    case 'deleted':
      throw new ApiError('files_deleted');
  }
};
