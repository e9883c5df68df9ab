import { createStore, type Store } from './store';

/** Whether pictures can be processed at once. */
export type EngineStatus =
  | { readonly state: 'loading'; readonly progress: number }
  | {
      readonly state: 'ready';
      readonly backend: string;
      /** Those of the packs that the user added that are in use, by name. */
      readonly ownPacks: readonly string[];
      /** Those that are not, though they should. */
      readonly leftOut: readonly string[];
    }
  | { readonly state: 'failed' };

export interface EngineLoader {
  readonly status: Pick<Store<EngineStatus, EngineStatus>, 'get' | 'subscribe'>;
  /** Loads the models, again after a failure. @returns when it is settled, either way */
  load(): Promise<void>;
}

/** @param loadModels says what the models run on, and which of the user's own are among them */
export const createEngineLoader = (
  loadModels: (
    onProgress: (share: number) => void,
  ) => Promise<Omit<Extract<EngineStatus, { state: 'ready' }>, 'state'>>,
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
      return loadModels((progress) => status.send({ state: 'loading', progress })).then(
        (loaded) => status.send({ state: 'ready', ...loaded }),
        (cause: unknown) => {
          onFailure(cause);
          status.send({ state: 'failed' });
        },
      );
    },
  };
};
