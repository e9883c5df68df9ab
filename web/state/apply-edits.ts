import type { MediaResult } from './media-item';
import type { AppEvent, AppState } from './pictures';
import { nextOutdated, type WantedEdits } from './wanted-edits';
import type { Store } from './store';

/** What the screens need to have results changed. */
export interface ImageEditor {
  /** Puts a new result in the place of a picture's; nothing is looked for. */
  applyEdits(result: MediaResult, wanted: WantedEdits): Promise<MediaResult>;
}

/** Once more where it fails: the engine may have died of something else, and is started again. */
const retryOnce = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch {
    return work();
  }
};

/**
 * Makes results anew until they show what is wanted, one after another.
 *
 * What changes while one is made waits for its end, and then only the last state counts: a slider that is dragged asks
 * for no more pictures than can be made.
 */
export const startRevising = (store: Store<AppState, AppEvent>, resultEditor: ImageEditor): void => {
  let isWorking = false;
  const next = () => nextOutdated(store.get().pictures, store.get().selectedId);
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
        // The result that is there lacks what was asked for: it must not be taken for it.
        store.send({ type: 'revision-failed', id, taskId: result.taskId });
      }
    }
    isWorking = false;
  };
  store.subscribe(() => void work());
};
