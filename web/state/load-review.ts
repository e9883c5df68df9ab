import type { Edits } from '#shared/domain/edits/edits';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import type { ReviewFile, ReviewState } from '#shared/domain/review';
import { rememberPath } from './file-path';
import type { MediaItem } from './media-item';
import type { AppEvent, AppState } from './pictures';
import { reviewedItem, type ResultSource } from './reviewed-item';
import type { Store } from './store';

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
const placeholder = ({ newPicture }: ReviewServer, file: ReviewFile): MediaItem => ({
  ...newPicture({ id: file.id, file: fileOf(file, []) }),
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
  const { pictures, selectedId, settings, isPaused } = store.get();
  store.send({
    type: 'restored',
    pictures: pictures.map((picture) => (picture.id === item.id ? item : picture)),
    selectedId,
    settings: (isFirst && item.settings) || settings,
    isPaused,
  });
};

const isThere = (store: AppStore, id: string): boolean => store.get().pictures.some((item) => item.id === id);

const load = async (
  server: ReviewServer,
  file: ReviewFile,
  store: AppStore,
): Promise<MediaItem | undefined> => {
  const { id } = file;
  const record = await untilDone(server, id, store);
  const state = await server.state(id);
  if ('error' in state) {
    store.send({ type: 'failed', id, error: state.error });
    return undefined;
  }
  const source = fileOf(file, [await server.source(id)]);
  return reviewedItem(server, { record, options: state.options, edits: state.edits as Edits }, source);
};

/** Shows the files of a review, each as soon as its task is done. @throws if the server does not answer */
export const loadReview = async (server: ReviewServer, store: AppStore): Promise<void> => {
  const files = await server.list();
  const { settings, isPaused } = store.get();
  const pictures = files.map((file) => placeholder(server, file));
  store.send({ type: 'restored', pictures, selectedId: files[0]?.id ?? null, settings, isPaused });
  let isFirst = true;
  for (const file of files) {
    if (!isThere(store, file.id)) continue;
    const item = await load(server, file, store);
    if (!item) continue;
    show(store, item, isFirst);
    isFirst = false;
  }
};
