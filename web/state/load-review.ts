import type { Edits } from '#shared/domain/edits/edits';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import type { ReviewFile, ReviewState } from '#shared/domain/review';
import { rememberPath } from './add-files';
import type { MediaItem, MediaResult, newItem } from './media-item';
import type { AppEvent, AppState } from './app-reducer';
import type { Store } from './store';
import { hides } from '#shared/catalogue/methods';
import type { ApiClient } from '#shared/api/client';
import type { ImageOptions } from '#shared/domain/options';
import type { firstResult } from './api-anonymiser';
import { NO_HISTORY } from './edit-history';
import { itemEditsOf, settingsOf } from './requested-edits';
import { statedEdits, type Settings } from './settings';
import { withKept } from './video-edits';
import { videoResult } from './video-result';

/** A done task of a server, with the options of its upload and the edits that its result shows. */
interface DoneTask {
  readonly record: TaskResponse;
  readonly options: ImageOptions;
  readonly edits: Edits;
}

/** Reads results of a server. Functions of the page are passed: see `ReviewParts`. */
interface ResultSource {
  readonly client: ApiClient<File>;
  readonly firstResult: typeof firstResult;
  readonly newItem: typeof newItem;
}

type Edited = Pick<MediaItem, 'result' | 'edits'>;

/** The record without its projection, if the search did not follow it: then no object goes on at the other edge. */
const asSearched = (record: TaskResponse, { format }: ImageOptions): TaskResponse => {
  if (format.kind !== 'whole' && format.kind !== 'grid') return record;
  const { projection: _notFollowed, ...rest } = record;
  return rest;
};

const editedImage = async (
  { client, firstResult }: ResultSource,
  { record, options, edits }: DoneTask,
  settings: Settings,
): Promise<Edited> => {
  const { editable, ...result } = await firstResult(client, asSearched(record, options), settings);
  const present = itemEditsOf(options, edits, result);
  return {
    result: {
      ...result,
      ...(editable && { editable: { ...editable, appliedEdits: { settings, edits: present } } }),
    },
    edits: { ...NO_HISTORY, present },
  };
};

const editedVideo = async (
  { client }: ResultSource,
  { record, options, edits }: DoneTask,
  settings: Settings,
): Promise<Edited> => {
  const result: MediaResult = await videoResult(client, asSearched(record, options), hides(settings.method));
  const { video } = result;
  if (!video) throw new Error('The result of a video is that of an image.');
  const present = itemEditsOf({ ...options, ignores: [] }, edits, result);
  const { followed = [] } = await client.edits(record.id);
  const said = { ...present, ...statedEdits(settings) };
  const shown = settings.keepMetadata ? withKept(said, settings) : said;
  const appliedEdits = edits.audio === 'mute' ? { ...shown, audio: edits.audio } : shown;
  return {
    result: { ...result, video: { ...video, appliedEdits, followed } },
    edits: { ...NO_HISTORY, present },
  };
};

/** The decisions that the service has recorded, so that later ones do not replace them. */
const recordedDecisions = async (
  { client }: ResultSource,
  { id, content_type: type }: TaskResponse,
): Promise<Pick<MediaItem, 'decisions' | 'decided' | 'recordedDecisions'>> => {
  const records = (await client.decisions(id)).decisions;
  const decisions = records.map(({ at: _at, reviewer: _reviewer, ...made }) => made);
  const kind = type.startsWith('video/') ? 'track' : 'object';
  return {
    decisions,
    decided: decisions.flatMap((made) => (made.id === undefined ? [] : [`${kind} ${made.id}`])),
    recordedDecisions: { taskId: id, text: JSON.stringify(decisions) },
  };
};

/** The item of a done task, with its edits. @param file the source */
const reviewedItem = async (source: ResultSource, task: DoneTask, file: File): Promise<MediaItem> => {
  const hasNoAudio = (task.record.audio ?? task.edits.audio) === 'mute';
  const settings = { ...settingsOf(task.options, task.edits), ...(hasNoAudio && { audio: 'mute' as const }) };
  const isVideo = task.record.content_type.startsWith('video/');
  return {
    ...source.newItem({ id: task.record.id, file }),
    status: 'done',
    progress: 1,
    isStored: true,
    settings,
    ...(isVideo ? await editedVideo(source, task, settings) : await editedImage(source, task, settings)),
    ...(await recordedDecisions(source, task.record)),
  };
};

/** The server of a review. */
export interface ReviewServer extends ResultSource {
  list(): Promise<readonly ReviewFile[]>;
  /** Resolves when the task is done. */
  state(id: string): Promise<ReviewState>;
  source(id: string): Promise<Blob>;
}

type AppStore = Store<AppState, AppEvent>;

const fileOf = ({ name, contentType, lastModifiedMs }: ReviewFile, parts: readonly Blob[]): File => {
  const options = { type: contentType, lastModified: lastModifiedMs };
  return rememberPath(new File([...parts], name.replace(/^.*\//, ''), options), name);
};

/** An item whose task is not done yet. Its source is loaded later. */
const placeholder = ({ newItem }: ReviewServer, file: ReviewFile): MediaItem => ({
  ...newItem({ id: file.id, file: fileOf(file, []) }),
  status: 'processing',
  isStored: true,
});

const untilDone = async ({ client }: ReviewServer, id: string, store: AppStore): Promise<TaskResponse> => {
  let last: TaskResponse | undefined;
  for await (const task of client.watch(id)) {
    last = task;
    store.send({ type: 'progressed', id, progress: task.progress, frames: null });
  }
  if (!last) throw new Error('The task of a reviewed file is gone.');
  return last;
};

/** Replaces the placeholder. The settings of the first item become those of the page. */
const show = (store: AppStore, item: MediaItem, isFirst: boolean): void => {
  const { items, selectedId, settings, isPaused } = store.get();
  store.send({
    type: 'restored',
    items: items.map((other) => (other.id === item.id ? item : other)),
    selectedId,
    settings: (isFirst && item.settings) || settings,
    isPaused,
  });
};

const isThere = (store: AppStore, id: string): boolean => store.get().items.some((item) => item.id === id);

const load = async (
  server: ReviewServer,
  file: ReviewFile,
  store: AppStore,
): Promise<MediaItem | undefined> => {
  const { id } = file;
  const watched = await untilDone(server, id, store).then(
    (record) => ({ record }),
    (cause: unknown) => ({ cause }),
  );
  // Names the reason why there is no task, too.
  const state = await server.state(id);
  if ('error' in state) {
    store.send({ type: 'failed', id, error: state.error });
    return undefined;
  }
  if ('cause' in watched) throw watched.cause;
  const { record } = watched;
  const source = fileOf({ ...file, contentType: record.content_type }, [await server.source(id)]);
  return reviewedItem(server, { record, options: state.options, edits: state.edits as Edits }, source);
};

/** The file that the user looks at, or the next one. Removes it from those that wait. */
const takeNext = (waiting: Map<string, ReviewFile>, store: AppStore): ReviewFile | undefined => {
  const [next] = waiting.values();
  const file = waiting.get(store.get().selectedId ?? '') ?? next;
  if (file) waiting.delete(file.id);
  return file;
};

/** Shows the files of a review, each as soon as its task is done. @throws if the server does not answer */
export const loadReview = async (server: ReviewServer, store: AppStore): Promise<void> => {
  const files = await server.list();
  const { settings, isPaused } = store.get();
  const items = files.map((file) => placeholder(server, file));
  store.send({ type: 'restored', items, selectedId: files[0]?.id ?? null, settings, isPaused });
  let isFirst = true;
  const waiting = new Map(files.map((file) => [file.id, file]));
  for (let file = takeNext(waiting, store); file; file = takeNext(waiting, store)) {
    if (!isThere(store, file.id)) continue;
    const item = await load(server, file, store);
    if (!item) continue;
    show(store, item, isFirst);
    isFirst = false;
  }
};
