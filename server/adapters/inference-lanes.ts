import { Worker } from 'node:worker_threads';
import { transfer, wrap, type Remote } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { allocateTensorsBy, giveTensorMemory } from '#shared/engine/inference/tensor-memory';
import { unlessFaulted } from '#shared/engine/runtime/unless-faulted';
import type { InferenceRuntime, InferenceSession, Tensor } from '#shared/ports/inference';
import type { Lane } from '../workers/serve-lane';

/** One prepares its next input while another runs; more of them only hold more memory. */
const MAX_LANES = 2;

export interface LaneOptions {
  /** Module that serves a `Lane`. */
  readonly workerFile: URL;
  /**
   * Cores that each lane may use. Lanes share them: threads of a lane that waits sleep, and a lone run takes half the time
   * with all cores (a pass for faces: 40 instead of 70 ms on two).
   */
  readonly threads: number;
  /** Called when a thread has ended, which it should not: its models are gone. */
  readonly onEnd: (reason: unknown) => void;
}

interface OpenLane {
  /** Calls the lane; rejects when its thread ends first. */
  call<T>(work: (remote: Remote<Lane>) => Promise<T>): Promise<T>;
  /** Calls that are not answered. */
  pending(): number;
  /** Resolves when the calls of now are answered, or the thread has ended. */
  idle(): Promise<void>;
}

/** Runs models in threads. */
export interface InferenceLanes extends InferenceRuntime {
  /**
   * Resolves when none of them runs a model.
   *
   * What calls them may give up before they answer. They must not be ended then: onnxruntime takes the whole process
   * down when a run comes back to a thread that is gone.
   */
  idle(): Promise<void>;
}

const openLane = ({ workerFile, threads, onEnd }: LaneOptions): OpenLane => {
  const worker = new Worker(workerFile, { workerData: { threads } });
  const remote = wrap<Lane>(nodeEndpoint(worker));
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread for models ended with code ${code}`)));
  });
  ended.catch(onEnd);
  const unlessEnded = unlessFaulted(ended);
  const answers = new Set<Promise<unknown>>();
  worker.unref();
  return {
    pending: () => answers.size,
    idle: async () => void (await Promise.allSettled(answers)),
    call: async (work) => {
      if (answers.size === 0) worker.ref(); // what is waited for keeps the process
      const answer = unlessEnded(work(remote));
      answers.add(answer);
      try {
        return await answer;
      } finally {
        answers.delete(answer);
        if (answers.size === 0) worker.unref();
      }
    },
  };
};

const buffersOf = (tensors: Readonly<Record<string, Tensor>>): ArrayBufferLike[] =>
  Object.values(tensors).map(({ data }) => data.buffer);

const isShared = (memory: ArrayBufferLike): memory is SharedArrayBuffer =>
  memory instanceof SharedArrayBuffer;
const isOwn = (memory: ArrayBufferLike): memory is ArrayBuffer => !isShared(memory);

const createLaneSession = (lanes: readonly OpenLane[], ids: readonly number[]): InferenceSession => ({
  run: async (inputs, wanted) => {
    const index = lanes.reduce(
      (best, lane, i) => (lane.pending() < (lanes[best] as OpenLane).pending() ? i : best),
      0,
    );
    const id = ids[index] as number;
    const buffers = buffersOf(inputs);
    const moved = transfer(inputs, buffers.filter(isOwn));
    const outputs = await (lanes[index] as OpenLane).call((remote) => remote.run(id, moved, wanted));
    for (const memory of buffers.filter(isShared)) giveTensorMemory(memory);
    return outputs;
  },
  close: async () => {
    await Promise.all(lanes.map((lane, i) => lane.call((remote) => remote.close(ids[i] as number))));
  },
});

/**
 * Runs graphs on the CPU in threads of their own, so that the calling thread prepares the next input meanwhile, and
 * two models run at once.
 *
 * Inputs are in memory that all threads see: an engine that hands over memory for good (transfers it) has to ask at each
 * access whether it still has it, and converts and scales pictures a quarter slower from then on.
 */
export const createInferenceLanes = (options: LaneOptions): InferenceLanes => {
  const { threads } = options;
  allocateTensorsBy((bytes) => new SharedArrayBuffer(bytes));
  const count = Math.min(MAX_LANES, threads);
  const lanes = Array.from({ length: count }, () => openLane(options));
  return {
    backend: `cpu (${threads} ${threads === 1 ? 'thread' : 'threads'})`,
    lanes: count,
    idle: async () => void (await Promise.all(lanes.map((lane) => lane.idle()))),
    createSession: async (model, options) => {
      // What is kept between runs is kept once: a run uses all cores as it is.
      const homes = options?.keepsWorkingMemory ? lanes.slice(0, 1) : lanes;
      const ids = await Promise.all(homes.map((lane) => lane.call((remote) => remote.open(model, options))));
      return createLaneSession(homes, ids);
    },
  };
};
