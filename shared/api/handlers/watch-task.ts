import type { Task } from '../../domain/task';
import { findTask } from './find-task';
import type { Handler } from './service';
import { taskResponse } from './task-response';

async function* records(tasks: AsyncIterable<Task>): AsyncGenerator<unknown> {
  for await (const task of tasks) yield taskResponse(task);
}

/** `GET /v1/task/{id}/events` */
export const watchTask: Handler<'watchTask'> = async ({ id, request, service }) => {
  const task = await findTask(service, id);
  return { events: records(service.tasks.watch(task.id, request.signal)) };
};
