import type { Task } from '../../domain/task';
import { EVENT_STREAM_TYPE } from '../contract/routes';
import { eventMessage } from '../http/event-stream';
import { PRIVATE } from '../http/respond';
import { findTask } from './find-task';
import type { Handler } from './service';
import { taskResponse } from './task-response';

async function* messages(tasks: AsyncIterable<Task>): AsyncGenerator<Uint8Array> {
  for await (const task of tasks) yield eventMessage(JSON.stringify(taskResponse(task)));
}

/**
 * `GET /v1/task/{id}/events`
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const watchTask: Handler<'watchTask'> = async ({ id, request, status, service }) => {
  const task = await findTask(service, id);
  const { method, signal } = request;
  // Proxies must pass each message on at once.
  const headers = { ...PRIVATE, 'content-type': EVENT_STREAM_TYPE, 'x-accel-buffering': 'no' };
  // Only a stream that is read ends, and is no longer counted then.
  if (method === 'HEAD') return { status, headers, body: new Uint8Array(0) };
  const stream = messages(service.tasks.watch(task.id, signal));
  return { status, headers, body: service.eventStreams?.open(stream, signal) ?? stream };
};
