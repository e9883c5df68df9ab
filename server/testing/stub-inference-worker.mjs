/** An inference worker without models: the first number of its input selects its behaviour. */
import { threadId, workerData } from 'node:worker_threads';
import { tsImport } from 'tsx/esm/api';

const FAIL = 1;
const END = 2;

/** Threads know no TypeScript by themselves. */
const { serve } = await tsImport('../../shared/threads/remote.ts', import.meta.url);
let opened = 0;
const worker = {
  open: async () => opened++,
  close: async () => undefined,
  run: async (session, { image }) => {
    const [behaviour] = image.data;
    if (behaviour === FAIL) throw new Error('the model does not like it');
    if (behaviour === END) process.exit(7);
    return { out: { data: Float32Array.of(session, threadId), dims: [2] } };
  },
};
serve(workerData.port, () => worker, true);
