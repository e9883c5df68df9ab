import { serve, type Port } from '#shared/threads/remote';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import catalogue from '../../models/packs/catalogue.json';
import { createDownloadFolder } from '../adapters/disk-folder';
import { log } from '../adapters/log';
import { fetchInPieces, FetchRefused, type FetchRefusal } from './fetch-in-pieces';

/** Name of the lock: only one tab downloads at a time. */
const LOCK = 'model-download';

/** The address of a recommended model. Nothing that the page says can become part of a request. */
const recommendedModel = (packId: string) => {
  const pack = catalogue.packs.find(({ id }) => catalogue.recommended.includes(id) && id === packId);
  const model = pack?.models[0];
  if (!model) throw new Error(`${packId} is not recommended`);
  return { ...model, url: model.source.url };
};

const ownMethods = {
  /**
   * Downloads a recommended model, or the rest of it, and checks its hash.
   *
   * @param onBytes called with the number of bytes that are there
   */
  fetchModel: async (
    packId: string,
    onBytes: (received: number) => void,
    signal: AbortSignal,
  ): Promise<File | { readonly refusal: FetchRefusal }> =>
    navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
      if (!lock) return { refusal: 'in-use' };
      try {
        const folder = await createDownloadFolder();
        return await fetchInPieces(recommendedModel(packId), folder, onBytes, signal);
      } catch (cause) {
        if (signal.aborted) throw cause;
        log.error('A model could not be downloaded', cause);
        if (cause instanceof FetchRefused) return { refusal: cause.reason };
        if (cause instanceof StorageUnavailable) return { refusal: 'no-room' };
        throw cause;
      }
    }),
};
export type ModelFetcher = typeof ownMethods;

serve(self as unknown as Port, () => ownMethods, true);
