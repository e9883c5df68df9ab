import { log } from '../adapters/log';
import { openModel } from '../adapters/model-trials';
import { providesFolders, openOwnFolder } from '../adapters/disk-folder';
import type { OwnModelPorts } from '../state/own-models';

/** Reads descriptions of models: code that the page needs only for its list of models. */
const loadLists = async () => {
  const [{ createOwnModels }, { listModels }] = await Promise.all([
    import('../adapters/own-models'),
    import('./list-models'),
  ]);
  return { own: createOwnModels(log), listModels };
};

/** Ports of the screens for added models; the caller provides `onChange`. */
export const createOwnModelPorts = (): Omit<OwnModelPorts, 'onChange'> => ({
  isOffered: providesFolders(),
  open: (files) => openModel(files, log),
  list: async (usedPacks) => {
    const { own, listModels } = await loadLists();
    return listModels(await own.list(), usedPacks);
  },
  remove: async (packId) => (await loadLists()).own.remove(packId),
  clear: async () => {
    if (!(await openOwnFolder())) return false;
    const { own } = await loadLists();
    const had = (await own.list()).length > 0;
    await own.clear();
    return had;
  },
});
