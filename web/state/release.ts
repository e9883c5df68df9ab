import { RefusedRequest, type ApiClient } from '#shared/api/client';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import type { WorkProgress } from './media-item';

const FORBIDDEN_STATUS = 403;
const POLL_MS = 3_000;

/** A result that this client may read. */
interface Readable {
  readonly record: TaskResponse;
  /** Of the edits that it shows, where this client is a reviewer. */
  readonly tag?: string | undefined;
}

/** @returns undefined where this client is no reviewer */
const asReviewer = async (client: ApiClient<File>, record: TaskResponse): Promise<Readable | undefined> => {
  try {
    return { record, tag: await client.editsTag(record.id) };
  } catch (cause) {
    if (cause instanceof RefusedRequest && cause.status === FORBIDDEN_STATUS) return undefined;
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
 */
export const untilReadable = async (
  client: ApiClient<File>,
  task: TaskResponse,
  onProgress: (progress: WorkProgress) => void,
  signal: AbortSignal,
): Promise<Readable> => {
  const reviewed = await asReviewer(client, task);
  if (reviewed) return reviewed;
  for (let now = task; ; now = await client.task(task.id)) {
    if (now.released_at !== null) return { record: now };
    onProgress({ progress: 1, frames: null, waitsForRelease: true });
    await pause(signal);
  }
};
