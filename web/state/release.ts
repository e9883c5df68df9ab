import { RefusedRequest, type ApiClient } from '#shared/api/client';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import type { WorkProgress } from './media-item';

const FORBIDDEN_STATUS = 403;
const POLL_MS = 3_000;

const mayReview = async (client: ApiClient<File>, id: string): Promise<boolean> => {
  try {
    await client.edits(id);
    return true;
  } catch (cause) {
    if (cause instanceof RefusedRequest && cause.status === FORBIDDEN_STATUS) return false;
    throw cause;
  }
};

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, POLL_MS);
    signal.addEventListener('abort', stop);
  });

/**
 * Resolves when this client may read the result of a task: reviewers at once, others when it is released.
 *
 * @param task done, and not released
 * @returns its record then
 */
export const untilReadable = async (
  client: ApiClient<File>,
  task: TaskResponse,
  onProgress: (progress: WorkProgress) => void,
  signal: AbortSignal,
): Promise<TaskResponse> => {
  if (await mayReview(client, task.id)) return task;
  for (let now = task; ; now = await client.task(task.id)) {
    if (now.released_at !== null) return now;
    onProgress({ progress: 1, frames: null, waitsForRelease: true });
    await pause(signal);
  }
};
