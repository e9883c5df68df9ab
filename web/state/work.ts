import type { ImageMetadata, VideoMetadata } from '#shared/api/contract/schemas-results';
import type { MaskKind } from '#shared/ports/engine';
import { wantedVideoEdits, type MediaItem, type MediaResult, type WorkProgress } from './media-item';
import { nextWaiting, type AppEvent, type AppState } from './app-reducer';
import type { Settings } from './settings';
import { type Store, workThrough } from './store';
import { keptEdits, sameVideoEdits, withShown, type VideoEdits } from './video-edits';
import { nextOutdated, type WantedEdits } from './wanted-edits';

/** A file that could not be processed. */
export class ProcessingFailed extends Error {
  /** @param sentence reason for the user; null if unknown */
  constructor(readonly sentence: string | null) {
    super(sentence ?? 'no reason given');
    this.name = 'ProcessingFailed';
  }
}

export type SavedResult = Pick<MediaResult, 'taskId' | 'video' | 'seenTag'>;

/** Functions of the API that the screens need. */
export interface Anonymiser {
  /** @throws ProcessingFailed, or an internal error; the task is removed then */
  process(
    file: File,
    settings: Settings,
    onProgress: (progress: WorkProgress) => void,
    signal: AbortSignal,
  ): Promise<MediaResult>;
  /**
   * Replaces a video result by a rendering with these edits, without a new detection.
   *
   * @throws if rendering fails; the result is unchanged then
   */
  editVideo(
    result: MediaResult,
    edits: VideoEdits,
    onProgress: (progress: WorkProgress) => void,
    signal: AbortSignal,
  ): Promise<MediaResult>;
  /** The anonymised file. A video is returned without reading it. */
  file(result: SavedResult): Promise<Blob>;
  /** Mask files of an image; videos have none. */
  masks(result: SavedResult): Promise<readonly { readonly kind: MaskKind; readonly file: Blob }[]>;
  /** How the file was processed. */
  report(result: SavedResult): Promise<Blob>;
  /** The log of all redactions as CSV, and the report for printing. */
  log(result: SavedResult): Promise<{ readonly csv: Blob; readonly page: Blob }>;
  /** Lets others have the result, where its host asks for that. @throws ProcessingFailed */
  release(result: SavedResult): Promise<void>;
  /** All detections, as the API returns them; of a video those of its frames, which may lack their times. */
  detections(result: SavedResult): Promise<ImageMetadata | VideoMetadata>;
  /** The same as JSON, in the form in which it is saved. */
  metadata(result: SavedResult): Promise<Blob>;
  /** Removes the task and its files. */
  forget(taskId: string): Promise<void>;
}

type AppStore = Store<AppState, AppEvent>;

/** Tasks that no file of the list refers to any more. */
export const droppedTasks = (before: AppState, after: AppState): readonly string[] => {
  const kept = new Set(after.items.map(({ result }) => result?.taskId));
  return before.items.flatMap(({ result }) => (result && !kept.has(result.taskId) ? [result.taskId] : []));
};

const isProcessing = (state: AppState, id: string): boolean =>
  state.items.some((item) => item.id === id && item.status === 'processing');

type Report = (progress: WorkProgress) => void;

/** How a file is processed. */
interface Processing {
  readonly anonymiser: Anonymiser;
  readonly settings: Settings;
  readonly onProgress: Report;
  readonly signal: AbortSignal;
}

/** Creates the first result. Boxes that were drawn on an earlier result are hidden in it, and muted parts are silent. */
const processAgain = async (
  { file, edits: { present } }: MediaItem,
  { anonymiser, settings, onProgress, signal }: Processing,
): Promise<MediaResult> => {
  const result = await anonymiser.process(file, settings, onProgress, signal);
  const edits = withShown(keptEdits(present), settings);
  if (!result.video || !result.hasImage || sameVideoEdits(edits, result.video.appliedEdits)) return result;
  // If this fails, the result counts as one without the edits, and cannot be saved.
  return anonymiser.editVideo(result, edits, onProgress, signal).catch(() => result);
};

const resultOf = (item: MediaItem, processing: Processing): Promise<MediaResult> => {
  const { anonymiser, onProgress, signal } = processing;
  return item.result && item.revision === 'wanted'
    ? anonymiser.editVideo(item.result, wantedVideoEdits(item), onProgress, signal)
    : processAgain(item, processing);
};

const processOne = async (store: AppStore, anonymiser: Anonymiser, item: MediaItem): Promise<void> => {
  const { id } = item;
  const { settings } = store.get();
  store.send({ type: 'started', id });
  const controller = new AbortController();
  const unsubscribe = store.subscribe(() => {
    if (!isProcessing(store.get(), id)) controller.abort();
  });
  const onProgress = (progress: WorkProgress): void => store.send({ type: 'progressed', id, ...progress });
  try {
    const processing = { anonymiser, settings, onProgress, signal: controller.signal };
    const result = await resultOf(item, processing);
    unsubscribe();
    // A rendering that was stopped too late has replaced the result, and is shown.
    store.send({ type: 'video-edits-applied', id, result });
    store.send({ type: 'finished', id, result });
    const isShown = store.get().items.some((one) => one.result?.taskId === result.taskId);
    if (!isShown) await anonymiser.forget(result.taskId);
  } catch (cause) {
    unsubscribe();
    const error = cause instanceof ProcessingFailed ? cause.sentence : null;
    if (!controller.signal.aborted) store.send({ type: 'failed', id, error });
  }
};

/**
 * Processes waiting files one after another, so that only one file is in memory, and frees the resources of removed
 * files.
 */
export const startWork = (store: AppStore, anonymiser: Anonymiser): void => {
  let before = store.get();
  store.subscribe(() => {
    const after = store.get();
    for (const taskId of droppedTasks(before, after)) void anonymiser.forget(taskId);
    before = after;
  });
  workThrough(
    store,
    () => nextWaiting(store.get()),
    (item) => processOne(store, anonymiser, item),
  );
};

/** Renders edited results for the screens. */
export interface ImageEditor {
  /** Replaces an image's result by a new rendering, without a new detection. */
  applyEdits(result: MediaResult, wanted: WantedEdits): Promise<MediaResult>;
}

/** Retries once: the engine may have ended for another reason, and is started again. */
const retryOnce = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch {
    return work();
  }
};

/**
 * Renders results again, one after another, until they match the edits.
 *
 * Changes during a rendering wait for its end, and only the latest state is rendered: dragging a slider requests no
 * more renderings than the engine can deliver.
 */
export const startApplyingEdits = (store: AppStore, resultEditor: ImageEditor): void => {
  const next = () => {
    const { items, selectedId, held } = store.get();
    const job = nextOutdated(items, selectedId, held);
    const result = job?.item.result;
    return result ? { id: job.item.id, result, wanted: job.wanted } : undefined;
  };
  workThrough(store, next, async ({ id, result, wanted }) => {
    try {
      const edited = await retryOnce(() => resultEditor.applyEdits(result, wanted));
      store.send({ type: 'edits-applied', id, result: edited });
    } catch {
      // The existing result lacks the edits and must not be used.
      store.send({ type: 'revision-failed', id, taskId: result.taskId });
    }
  });
};
