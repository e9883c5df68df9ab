import { createValue, type Store } from './store';

/** Whether the engine is ready to process files. */
export type EngineStatus =
  | { readonly state: 'loading'; readonly progress: number }
  | {
      readonly state: 'ready';
      readonly backend: string;
      /** Names of the added packs that are in use. */
      readonly ownPacks: readonly string[];
      /** Names of the added packs that could not be used. */
      readonly leftOut: readonly string[];
    }
  | { readonly state: 'failed' };

export interface EngineLoader {
  readonly status: Pick<Store<EngineStatus, EngineStatus>, 'get' | 'subscribe'>;
  /** Loads the models, again after a failure. @returns when loading has succeeded or failed */
  load(): Promise<void>;
}

/** @param loadModels returns the backend and the added packs in use */
export const createEngineLoader = (
  loadModels: (
    onProgress: (share: number) => void,
  ) => Promise<Omit<Extract<EngineStatus, { state: 'ready' }>, 'state'>>,
  onFailure: (cause: unknown) => void,
): EngineLoader => {
  const status = createValue<EngineStatus>({
    state: 'loading',
    progress: 0,
  });
  let loads = 0;
  return {
    status,
    load: () => {
      const load = ++loads;
      /** A load that was replaced by a later one reports nothing. */
      const send = (next: EngineStatus): void => {
        if (load === loads) status.send(next);
      };
      send({ state: 'loading', progress: 0 });
      return loadModels((progress) => send({ state: 'loading', progress })).then(
        (loaded) => send({ state: 'ready', ...loaded }),
        (cause: unknown) => {
          onFailure(cause);
          send({ state: 'failed' });
        },
      );
    },
  };
};
