import { methodsBy } from '#shared/threads/calls';
import { connect } from '#shared/threads/remote';
import type { ModelFetcher } from '../workers/fetch-models';

/**
 * Downloads a recommended model in a worker of its own: only this worker may connect to the hub, by its policy.
 *
 * @param onBytes called with the number of bytes that are there
 */
export const fetchModel: ModelFetcher['fetchModel'] = async (packId, onBytes, signal) => {
  const worker = new Worker(new URL('../workers/fetch-models.ts', import.meta.url), { type: 'module' });
  const calls = connect(worker);
  worker.addEventListener('error', ({ message }) => calls.end(new Error(message)));
  try {
    return await methodsBy<ModelFetcher>(calls.call).fetchModel(packId, onBytes, signal);
  } finally {
    await calls.idle(); // after an abort the worker stores what has arrived
    worker.terminate();
  }
};
