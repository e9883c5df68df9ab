import {
  nextWaiting,
  type AppEvent,
  type AppState,
  type Picture,
  type PictureResult,
  type WorkProgress,
} from './pictures';
import type { Settings } from './settings';
import type { Store } from './store';

/** A picture that got no result. */
export class PictureFailed extends Error {
  /** @param sentence what is wrong with it, for the user; null where nobody knows */
  constructor(readonly sentence: string | null) {
    super(sentence ?? 'no reason given');
    this.name = 'PictureFailed';
  }
}

/** What the screens need of the API. */
export interface Anonymiser {
  /** @throws PictureFailed, or what went wrong on our side; then the task is gone */
  process(
    file: File,
    settings: Settings,
    onProgress: (progress: WorkProgress) => void,
    signal: AbortSignal,
  ): Promise<PictureResult>;
  /** The anonymised file; a video is not read for that. */
  file(result: Pick<PictureResult, 'taskId' | 'video'>): Promise<Blob>;
  /** Removes the task with its files. */
  forget(taskId: string): Promise<void>;
}

type AppStore = Store<AppState, AppEvent>;

/** Tasks that no picture refers to any more. */
export const droppedTasks = (before: AppState, after: AppState): readonly string[] => {
  const kept = new Set(after.pictures.map(({ result }) => result?.taskId));
  return before.pictures.flatMap(({ result }) => (result && !kept.has(result.taskId) ? [result.taskId] : []));
};

const isProcessing = (state: AppState, id: string): boolean =>
  state.pictures.some((picture) => picture.id === id && picture.status === 'processing');

const processOne = async (store: AppStore, anonymiser: Anonymiser, { id, file }: Picture): Promise<void> => {
  const { settings } = store.get();
  store.send({ type: 'started', id });
  const controller = new AbortController();
  const unsubscribe = store.subscribe(() => {
    if (!isProcessing(store.get(), id)) controller.abort();
  });
  const onProgress = (progress: WorkProgress): void => store.send({ type: 'progressed', id, ...progress });
  try {
    const result = await anonymiser.process(file, settings, onProgress, controller.signal);
    unsubscribe();
    if (controller.signal.aborted) await anonymiser.forget(result.taskId);
    else store.send({ type: 'finished', id, result });
  } catch (cause) {
    unsubscribe();
    const error = cause instanceof PictureFailed ? cause.sentence : null;
    if (!controller.signal.aborted) store.send({ type: 'failed', id, error });
  }
};

/**
 * Processes waiting pictures one after another, so that memory stays that of one picture, and frees what the state
 * has let go of.
 */
export const startWork = (store: AppStore, anonymiser: Anonymiser): void => {
  let isWorking = false;
  let before = store.get();
  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    for (let next = nextWaiting(store.get()); next; next = nextWaiting(store.get())) {
      await processOne(store, anonymiser, next);
    }
    isWorking = false;
  };
  store.subscribe(() => {
    const after = store.get();
    for (const taskId of droppedTasks(before, after)) void anonymiser.forget(taskId);
    before = after;
    void work();
  });
};
