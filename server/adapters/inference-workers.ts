import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { allocateTensorsBy, giveTensorMemory } from '#shared/engine/inference/tensor';
import type { InferenceRuntime, InferenceSession } from '#shared/ports/inference';
import { methodsBy, type Calls } from '#shared/threads/calls';
import { connect } from '#shared/threads/remote';
import type { InferenceWorker } from '../workers/serve-inference';

/** One prepares its next input while another runs; more of them only hold more memory. */
const MAX_INFERENCE_WORKERS = 2;

export interface InferenceWorkerOptions {
  /** Module that serves an `InferenceWorker`. */
  readonly workerFile: URL;
  /**
   * Cores that each worker may use. Workers share them: threads of a worker that waits sleep, and a lone run takes half the time
   * with all cores (a pass for faces: 40 instead of 70 ms on two).
   */
  readonly threads: number;
  /** Called when a thread has ended, which it should not: its models are gone. */
  readonly onEnd: (reason: unknown) => void;
}

/** Start-up data of a worker's thread. */
export interface InferenceWorkerData {
  readonly threads: number;
  /** Where the worker is served. */
  readonly port: MessagePort;
}

interface OpenInferenceWorker extends Calls {
  readonly methods: InferenceWorker;
}

/** Runs models in threads. */
export interface InferenceWorkers extends InferenceRuntime {
  /**
   * Resolves when none of them runs a model.
   *
   * What calls them may give up before they answer. They must not be ended then: onnxruntime takes the whole process
   * down when a run comes back to a thread that is gone.
   */
  idle(): Promise<void>;
}

const openInferenceWorker = ({ workerFile, threads, onEnd }: InferenceWorkerOptions): OpenInferenceWorker => {
  const { port1, port2 } = new MessageChannel();
  const workerData: InferenceWorkerData = { threads, port: port2 };
  const worker = new Worker(workerFile, { workerData, transferList: [port2] });
  const calls = connect(port1);
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread for models ended with code ${code}`)));
  });
  ended.catch((reason: unknown) => {
    onEnd(reason);
    calls.end(reason);
  });
  worker.unref(); // a call that waits for its answer keeps the process
  return { ...calls, methods: methodsBy<InferenceWorker>(calls.call) };
};

const createSharedSession = (
  workers: readonly OpenInferenceWorker[],
  ids: readonly number[],
): InferenceSession => ({
  run: async (inputs, wanted) => {
    const index = workers.reduce(
      (best, worker, i) => (worker.pending() < (workers[best] as OpenInferenceWorker).pending() ? i : best),
      0,
    );
    const id = ids[index] as number;
    const views = Object.values(inputs).map(({ data }) => data);
    const outputs = await (workers[index] as OpenInferenceWorker).methods.run(id, inputs, wanted);
    for (const { buffer } of views) giveTensorMemory(buffer);
    return outputs;
  },
  close: async () => {
    await Promise.all(workers.map((worker, i) => worker.methods.close(ids[i] as number)));
  },
});

/**
 * Runs graphs on the CPU in threads of their own, so that the calling thread prepares the next input meanwhile, and
 * two models run at once.
 *
 * Inputs are in memory that all threads see: an engine that hands over memory for good (transfers it) has to ask at each
 * access whether it still has it, and converts and scales images a quarter slower from then on.
 */
export const createInferenceWorkers = (options: InferenceWorkerOptions): InferenceWorkers => {
  const { threads } = options;
  allocateTensorsBy((bytes) => new SharedArrayBuffer(bytes));
  const count = Math.min(MAX_INFERENCE_WORKERS, threads);
  const workers: OpenInferenceWorker[] = [];
  /** Starts threads until there are enough. Not before: one that is ended while it loads onnxruntime ends the process. */
  const start = (wanted: number): readonly OpenInferenceWorker[] => {
    while (workers.length < wanted) workers.push(openInferenceWorker(options));
    return workers.slice(0, wanted);
  };
  return {
    backend: `cpu (${threads} ${threads === 1 ? 'thread' : 'threads'})`,
    parallelRuns: count,
    idle: async () => void (await Promise.all(workers.map((worker) => worker.idle()))),
    createSession: async (model, options) => {
      // What is kept between runs is kept once: a run uses all cores as it is.
      const homes = start(options?.keepsWorkingMemory ? 1 : count);
      // Each worker gets a copy. Not by `slice`: that of Node's buffers copies nothing.
      const ids = await Promise.all(
        homes.map((worker) => worker.methods.open(new Uint8Array(model), options)),
      );
      return createSharedSession(homes, ids);
    },
  };
};
