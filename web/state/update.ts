import { createStore, type Store } from './store';

export interface UpdateSource {
  /** Called when another version waits, or runs already because another tab let it in. */
  onUpdate(listener: () => void): void;
  /** Starts the page anew with the other version. */
  update(): Promise<void>;
}

export interface Update {
  readonly isOffered: Pick<Store<boolean, never>, 'get' | 'subscribe'>;
  accept(): void;
  /** Not now: asked again when the page is opened the next time. */
  decline(): void;
}

/** A new version is taken when the user says so: it cuts off what is in work. */
export const startUpdate = (source: UpdateSource): Update => {
  const isOffered = createStore<boolean, boolean>((_, next) => next, false);
  source.onUpdate(() => isOffered.send(true));
  return {
    isOffered,
    accept: () => void source.update(),
    decline: () => isOffered.send(false),
  };
};
