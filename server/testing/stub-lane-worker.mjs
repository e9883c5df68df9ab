/** An inference lane without models: the first number of its input selects its behaviour. */
import { parentPort, threadId } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';

const FAIL = 1;
const END = 2;

let opened = 0;
expose(
  {
    open: async () => opened++,
    close: async () => undefined,
    run: async (session, { image }) => {
      const [behaviour] = image.data;
      if (behaviour === FAIL) throw new Error('the model does not like it');
      if (behaviour === END) process.exit(7);
      return { out: { data: Float32Array.of(session, threadId), dims: [2] } };
    },
  },
  nodeEndpoint(parentPort),
);
