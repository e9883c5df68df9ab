/** A program that runs a model 100 times, and then has nothing to do: it ends by itself. */
import { tsImport } from 'tsx/esm/api';

const { createInferenceWorkers } = await tsImport('../adapters/inference-workers.ts', import.meta.url);
const workerFile = new URL('./stub-inference-worker.mjs', import.meta.url);
const { createSession } = createInferenceWorkers({ workerFile, threads: 2, onEnd: () => undefined });
const session = await createSession(new Uint8Array(4));
for (let i = 0; i < 100; i++) await session.run({ image: { data: Float32Array.of(0), dims: [1] } });
console.log('done');
