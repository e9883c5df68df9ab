import { createStore, type Store } from './store';

export interface UpdateSource {
  /** Called when another version waits, or already runs because another tab accepted it. */
  onUpdate(listener: () => void): void;
  /** Reloads the page with the other version. */
  update(): Promise<void>;
}

export interface Update {
  readonly isOffered: Pick<Store<boolean, never>, 'get' | 'subscribe'>;
  accept(): void;
  /** Declines for now; the user is asked again at the next visit. */
  decline(): void;
}

/** Starts a new version only when the user accepts it, because a reload interrupts processing. */
export const startUpdate = (source: UpdateSource): Update => {
  const isOffered = createStore<boolean, boolean>((_, next) => next, false);
  source.onUpdate(() => isOffered.send(true));
  return {
    isOffered,
    accept: () => void source.update(),
    decline: () => isOffered.send(false),
  };
};
