import { createStore, type Store } from './store';

/** Whether pictures can be processed at once. */
export type EngineStatus =
  | { readonly state: 'loading'; readonly progress: number }
  | { readonly state: 'ready'; readonly backend: string }
  | { readonly state: 'failed' };

export interface EngineLoader {
  readonly status: Pick<Store<EngineStatus, EngineStatus>, 'get' | 'subscribe'>;
  /** Loads the models, again after a failure. */
  load(): void;
}

/** @param loadModels says what the models run on */
export const createEngineLoader = (
  loadModels: (onProgress: (share: number) => void) => Promise<{ readonly backend: string }>,
  onFailure: (cause: unknown) => void,
): EngineLoader => {
  const status = createStore<EngineStatus, EngineStatus>((_, next) => next, {
    state: 'loading',
    progress: 0,
  });
  return {
    status,
    load: () => {
      status.send({ state: 'loading', progress: 0 });
      loadModels((progress) => status.send({ state: 'loading', progress })).then(
        ({ backend }) => status.send({ state: 'ready', backend }),
        (cause: unknown) => {
          onFailure(cause);
          status.send({ state: 'failed' });
        },
      );
    },
  };
};
