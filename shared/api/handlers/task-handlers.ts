import { inPages, TASKS_PER_PAGE } from '../../tasks/base/arrivals';
import type { Task } from '../../domain/task';
import { moment } from '../../tasks/base/moment';
import { ApiError } from '../contract/errors';
import { findTask } from './find-task';
import { badParameter } from '../http/query';
import type { HandlerAnswer, LongArray } from '../http/answer';
import { API_VERSION, ROUTES } from '../contract/routes';
import { MAX_PAGE_TASKS, type StatusResponse } from '../contract/schemas-tasks';
import type { ApiService, Handler } from './service';
import { success, taskResponse } from './task-response';

/** `GET /v1/status` */
export const getStatus: Handler<'getStatus'> = async ({ service }) => {
  const value: StatusResponse = {
    ts: moment(service.system.nowMs()),
    api_version: API_VERSION,
    status: 'RUNNING',
  };
  return { value };
};

/** `GET /v1/openapi.json`. Loaded where it is asked for: the first load of a page must stay small. */
export const getOpenApi: Handler<'getOpenApi'> = async () => ({
  value: (await import('../contract/openapi.json')).default,
});

/** All tasks, read while they are sent. Their number of bytes is known only where they are one page. */
const listAll = async ({ tasks, nextTurn }: ApiService): Promise<HandlerAnswer> => {
  const first = await tasks.page(TASKS_PER_PAGE, undefined);
  if (first?.next === undefined) return { value: (first?.tasks ?? []).map(taskResponse) };
  const groups = () => inPages(tasks.page, first);
  return { list: { groups, write: taskResponse, nextTurn } satisfies LongArray<Task> };
};

/** `GET /v1/task/list` */
export const listTasks: Handler<'listTasks'> = async ({ query, service }) => {
  const { limit, cursor } = query;
  if (limit === undefined && cursor === undefined) return listAll(service);
  const size = limit ?? MAX_PAGE_TASKS;
  const page = await service.tasks.page(size, cursor);
  if (!page) throw badParameter('cursor', 'a cursor of a `Link` header', cursor ?? '');
  const value = page.tasks.map(taskResponse);
  if (page.next === undefined) return { value };
  const next = `${service.settings.baseUrl}${ROUTES.listTasks.path}?limit=${size}&cursor=${page.next}`;
  // RFC 8288
  return { value, headers: { link: `<${next}>; rel="next"` } };
};

/** `GET /v1/task/{id}` */
export const getTask: Handler<'getTask'> = async ({ id, service }) => ({
  value: taskResponse(await findTask(service, id)),
});

/** `DELETE /v1/task/{id}` */
export const deleteTask: Handler<'deleteTask'> = async ({ id, query, service }) => {
  const task = await findTask(service, id);
  const wasThere = await service.tasks.delete(task.id, query['delete-scope']);
  if (!wasThere) throw new ApiError('unknown_task');
  const areFiles = query['delete-scope'] === 'only-files';
  return { value: success(areFiles ? 'The files were deleted.' : 'The task and its files were deleted.') };
};

/** `DELETE /v1/task/list` */
export const deleteAllTasks: Handler<'deleteAllTasks'> = async ({ query, service }) => {
  if (!query.confirm) throw new ApiError('not_confirmed');
  await service.tasks.deleteAll(query['delete-scope']);
  const areFiles = query['delete-scope'] === 'only-files';
  const message = areFiles
    ? 'The files of all tasks were deleted.'
    : 'All tasks and their files were deleted.';
  return { value: success(message) };
};
