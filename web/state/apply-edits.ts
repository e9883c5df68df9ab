import type { MediaResult } from './media-item';
import type { AppEvent, AppState } from './pictures';
import { nextOutdated, type WantedEdits } from './wanted-edits';
import type { Store } from './store';

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
export const startApplyingEdits = (store: Store<AppState, AppEvent>, resultEditor: ImageEditor): void => {
  let isWorking = false;
  const next = () => {
    const { pictures, selectedId, held } = store.get();
    return nextOutdated(pictures, selectedId, held);
  };
  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    for (let job = next(); job; job = next()) {
      const { id, result } = job.picture;
      if (!result) break;
      try {
        const { wanted } = job;
        const edited = await retryOnce(() => resultEditor.applyEdits(result, wanted));
        store.send({ type: 'edits-applied', id, result: edited });
      } catch {
        // The existing result lacks the edits and must not be used.
        store.send({ type: 'revision-failed', id, taskId: result.taskId });
      }
    }
    isWorking = false;
  };
  store.subscribe(() => void work());
};
