import { log } from '../adapters/log';
import { fetchModel } from '../adapters/fetch-models';
import { openModel } from '../adapters/model-trials';
import { openOwnFolder, providesFolders, removeDownloads } from '../adapters/disk-folder';
import type { OwnModelPorts } from '../state/own-models';

/** Reads descriptions of models: code that the page needs only for its list of models. */
const loadLists = async () => {
  const [{ createOwnModels }, { listModels, listRecommended }] = await Promise.all([
    import('../adapters/own-models'),
    import('./list-models'),
  ]);
  return { own: createOwnModels(log), listModels, listRecommended };
};

/**
 * Ports of the screens for added models; the caller provides `onChange`.
 *
 * @param counted resolves when the requests of the page are counted and listed: no download begins before
 */
export const createOwnModelPorts = (counted: Promise<void>): Omit<OwnModelPorts, 'onChange'> => ({
  isOffered: providesFolders(),
  open: (files) => openModel(files, log),
  list: async (usedPacks) => {
    const { own, listModels } = await loadLists();
    return listModels(await own.list(), usedPacks);
  },
  remove: async (packId) => (await loadLists()).own.remove(packId),
  listRecommended: async () => (await loadLists()).listRecommended(),
  fetch: async (packId, onBytes, signal) => {
    const cancelled = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    // A browser without service workers counts none.
    await Promise.race([counted.catch(() => undefined), cancelled]);
    signal.throwIfAborted();
    return fetchModel(packId, onBytes, signal);
  },
  removeDownloads,
  makeTestImage: async () => (await import('../adapters/test-image')).makeTestImage(),
  clear: async () => {
    await removeDownloads();
    if (!(await openOwnFolder())) return false;
    const { own } = await loadLists();
    const had = (await own.list()).length > 0;
    await own.clear();
    return had;
  },
});
