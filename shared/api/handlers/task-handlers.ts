import { inPages, TASKS_PER_PAGE } from '../../tasks/base/arrivals';
import { moment } from '../../tasks/base/moment';
import { ApiError } from '../contract/errors';
import { findTask } from './find-task';
import { badParameter } from '../http/query';
import type { ApiResponse } from '../http/http';
import { JSON_TYPE, PRIVATE, respondJson } from '../http/respond';
import { API_VERSION, ROUTES } from '../contract/routes';
import { MAX_PAGE_TASKS, type StatusResponse } from '../contract/schemas-tasks';
import type { ApiService, Handler } from './service';
import { success, taskResponse } from './task-response';

/** `GET /v1/status` */
export const getStatus: Handler<'getStatus'> = async ({ status, service }) => {
  const body: StatusResponse = {
    ts: moment(service.system.nowMs()),
    api_version: API_VERSION,
    status: 'RUNNING',
  };
  return respondJson(status, body);
};

/** `GET /v1/openapi.json` */
export const getOpenApi: Handler<'getOpenApi'> = async ({ status }) => {
  // Loaded with the first request: the first load of a page must stay small.
  const { openApi } = await import('../contract/openapi');
  return respondJson(status, openApi());
};

/** All tasks, read while they are sent. Their number of bytes is known only where they are one page. */
const listAll = async (status: number, { tasks, nextTurn }: ApiService): Promise<ApiResponse> => {
  const first = await tasks.page(TASKS_PER_PAGE, undefined);
  if (first?.next === undefined) return respondJson(status, (first?.tasks ?? []).map(taskResponse));
  // Loaded where there are so many: the first load of a page must stay small.
  const { jsonArray } = await import('../http/json-array');
  const body = jsonArray({ groups: () => inPages(tasks.page, first), write: taskResponse, nextTurn });
  return { status, headers: { ...PRIVATE, 'content-type': JSON_TYPE }, body };
};

/** `GET /v1/task/list` */
export const listTasks: Handler<'listTasks'> = async ({ query, status, service }) => {
  const { limit, cursor } = query;
  if (limit === undefined && cursor === undefined) {
    return listAll(status, service);
  }
  const size = limit ?? MAX_PAGE_TASKS;
  const page = await service.tasks.page(size, cursor);
  if (!page) throw badParameter('cursor', 'a cursor of a `Link` header', cursor ?? '');
  const response = respondJson(status, page.tasks.map(taskResponse));
  if (page.next === undefined) return response;
  const next = `${service.settings.baseUrl}${ROUTES.listTasks.path}?limit=${size}&cursor=${page.next}`;
  // RFC 8288
  return { ...response, headers: { ...response.headers, link: `<${next}>; rel="next"` } };
};

/** `GET /v1/task/{id}` */
export const getTask: Handler<'getTask'> = async ({ id, status, service }) =>
  respondJson(status, taskResponse(await findTask(service, id)));

/** `DELETE /v1/task/{id}` */
export const deleteTask: Handler<'deleteTask'> = async ({ id, query, status, service }) => {
  const task = await findTask(service, id);
  const wasThere = await service.tasks.delete(task.id, query['delete-scope']);
  if (!wasThere) throw new ApiError('unknown_task');
  return respondJson(
    status,
    success(
      query['delete-scope'] === 'only-files'
        ? 'The files were deleted.'
        : 'The task and its files were deleted.',
    ),
  );
};

/** `DELETE /v1/task/list` */
export const deleteAllTasks: Handler<'deleteAllTasks'> = async ({ query, status, service }) => {
  if (!query.confirm) throw new ApiError('not_confirmed');
  await service.tasks.deleteAll(query['delete-scope']);
  return respondJson(
    status,
    success(
      query['delete-scope'] === 'only-files'
        ? 'The files of all tasks were deleted.'
        : 'All tasks and their files were deleted.',
    ),
  );
};
