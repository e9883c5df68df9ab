import type { MediaItem } from './media-item';

/** Prefix of the ids of results from a server; no task of this page has it. */
const FETCHED_PREFIX = 'brought:';

/** The id in this page of a task on a server. */
export const idOfFetched = (taskId: string): string => FETCHED_PREFIX + taskId;

/** The id of the task on the server; undefined for results of this page. */
export const fetchedId = (taskId: string): string | undefined =>
  taskId.startsWith(FETCHED_PREFIX) ? taskId.slice(FETCHED_PREFIX.length) : undefined;

/** The item without what only the server can do: its result stays, and other settings need a new detection. */
export const withoutServer = (item: MediaItem): MediaItem => {
  if (!item.result || fetchedId(item.result.taskId) === undefined) return item;
  const { editable: _onServer, video, ...result } = item.result;
  if (!video) return { ...item, result };
  const { hasAudio: _there, ...facts } = video;
  return { ...item, result: { ...result, video: facts } };
};
