import './no-telemetry';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { InferenceRuntime, Tensor as PlainTensor } from '#shared/ports/inference';

const toPlainTensor = (name: string, { type, data, dims }: Tensor): PlainTensor => {
  if (type !== 'float32') throw new Error(`Output ${name} of the model is ${type}, not float32`);
  return { data: data as Float32Array, dims };
};

/**
 * Runs graphs on the processor.
 *
 * A run blocks the calling thread until it is done, which is why it is called from threads that do nothing else.
 *
 * @param threads how many cores the runs of a model may use
 */
export const createInferenceRuntime = (threads: number): InferenceRuntime => ({
  backend: `cpu (${threads} ${threads === 1 ? 'thread' : 'threads'})`,
  parallelRuns: 1,
  createSession: async (model, { keepsWorkingMemory = false, runsAtOnce = 1 } = {}) => {
    const session = await InferenceSession.create(model, {
      executionProviders: ['cpu'],
      graphOptimizationLevel: 'all',
      intraOpNumThreads: Math.ceil(threads / runsAtOnce),
      interOpNumThreads: 1,
      // A waiting thread sleeps instead of spinning: 0.9 instead of 1.55 s of CPU for an image of 1280 x 720, and
      // half the time on a machine that has other work.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
      // Each size of image would add blocks that are never given back: 1.8 GB instead of 0.9 GB after one of
      // 8000 x 4000, at the same speed; windows of a bounded size add few.
      enableCpuMemArena: keepsWorkingMemory,
      enableMemPattern: false,
      // Errors only: warnings are about how the graph was exported.
      logSeverityLevel: 3,
    });
    return {
      run: async (inputs, wanted) => {
        const feeds = Object.entries(inputs).map(
          ([name, { data, dims }]) => [name, new Tensor('float32', data, dims)] as const,
        );
        const outputs = await session.run(Object.fromEntries(feeds), wanted ?? session.outputNames);
        return Object.fromEntries(
          Object.entries(outputs).map(([name, tensor]) => [name, toPlainTensor(name, tensor)]),
        );
      },
      close: () => session.release(),
    };
  },
});
