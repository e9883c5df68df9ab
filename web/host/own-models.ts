import { log } from '../adapters/log';
import { openModel } from '../adapters/model-trials';
import { keepsOwnModels } from '../adapters/own-folder';
import { createOwnModels } from '../adapters/own-models';
import type { OwnModelPorts } from '../state/own-models';
import { listModels } from './list-models';

/** Ports of the screens for added models; the caller provides `onChange`. */
export const createOwnModelPorts = (): Omit<OwnModelPorts, 'onChange'> => {
  const own = createOwnModels(log);
  return {
    isOffered: keepsOwnModels(),
    open: (files) => openModel(files, log),
    list: async (usedPacks) => listModels(await own.list(), usedPacks),
    remove: own.remove,
    clear: async () => {
      const had = (await own.list()).length > 0;
      await own.clear();
      return had;
    },
  };
};
