import type * as Ort from 'onnxruntime-web';
import asyncifyWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { giveTensorMemory } from '#shared/engine/inference/tensor';
import { createGate } from '#shared/engine/runtime/in-parallel';
import type { InferenceRuntime, InferenceSession, Tensor } from '#shared/ports/inference';
import type { Log } from '#shared/ports/system';
import { splitProducts } from './fused-products';

/** Value for a free dimension of an input in the warm-up run: the minimum that every model accepts. */
const WARM_UP_SIDE = 256;
const MAX_THREADS = 4;

/** A backend that runs graphs in this browser. */
interface Backend {
  readonly name: string;
  open(model: Uint8Array): Promise<Ort.InferenceSession>;
  run(
    session: Ort.InferenceSession,
    feeds: Readonly<Record<string, Ort.Tensor>>,
    wanted?: readonly string[],
  ): Promise<Ort.InferenceSession.ReturnType>;
  close(session: Ort.InferenceSession): Promise<void>;
  tensor(tensor: Tensor): Ort.Tensor;
}

/**
 * Number of threads. One core stays free for the page, except with two cores: there a second thread reduces the time
 * for a 1920 × 1280 image from 2.0 s to 1.2 s. Without isolation there is no shared memory, so only one thread is
 * possible.
 */
const threadCount = (): number => {
  if (!self.crossOriginIsolated) return 1;
  const cores = navigator.hardwareConcurrency;
  return Math.min(MAX_THREADS, cores > 2 ? cores - 1 : cores);
};

/**
 * Lets calls of the runtime in this thread wait for each other. It awaits between the steps of a call, whose data are on
 * one stack: of two calls at once, one may read the outputs of the other.
 */
const inTurn = createGate(1);

const createBackend = (ort: typeof Ort, name: string, provider: 'wasm' | 'webgpu'): Backend => {
  ort.env.logLevel = 'error';
  ort.env.wasm.numThreads = threadCount();
  const options = { executionProviders: [provider], graphOptimizationLevel: 'all' } as const;
  return {
    name,
    open: (model) => inTurn(() => ort.InferenceSession.create(model, options)),
    run: (session, feeds, wanted = session.outputNames) => inTurn(() => session.run(feeds, wanted)),
    close: (session) => inTurn(() => session.release()),
    tensor: ({ data, dims }) => new ort.Tensor('float32', data, dims),
  };
};

/** A module whose only function multiplies and adds in one instruction, `f32x4.relaxed_madd`. */
const FUSED_PRODUCT = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b],
);

const fetchBytes = async (url: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(url)).arrayBuffer());

// Each runtime is a separate chunk: its threads start from the chunk's file, which must contain nothing else.
const wasmBackend = async (): Promise<Backend> => {
  const threads = threadCount();
  const name = `wasm (${threads} ${threads === 1 ? 'thread' : 'threads'})`;
  const ort = await import('onnxruntime-web/wasm');
  if (WebAssembly.validate(FUSED_PRODUCT)) ort.env.wasm.wasmPaths = { wasm: wasmUrl };
  else ort.env.wasm.wasmBinary = splitProducts(await fetchBytes(wasmUrl)).buffer;
  return createBackend(ort, name, 'wasm');
};

const hasGpu = async (): Promise<boolean> => {
  const gpu = (navigator as { gpu?: { requestAdapter(): Promise<{ info?: GpuInfo } | null> } }).gpu;
  const adapter = await gpu?.requestAdapter().catch(() => null);
  // A GPU emulated on the CPU is correct but many times slower than WASM.
  return adapter != null && adapter.info?.isFallbackAdapter !== true;
};
interface GpuInfo {
  readonly isFallbackAdapter?: boolean;
}

interface GpuDevice {
  readonly lost: Promise<{ readonly reason: string; readonly message: string }>;
}

/** Reports a loss of the GPU (sleep, driver update), except by its own release. */
const watchDevice = async (
  device: GpuDevice | undefined,
  onGpuLost: (detail: string) => void,
): Promise<void> => {
  const loss = await device?.lost;
  if (loss && loss.reason !== 'destroyed') onGpuLost(loss.message);
};

const webGpuBackend = async (onGpuLost: (detail: string) => void): Promise<Backend> => {
  const ort = await import('onnxruntime-web/webgpu');
  ort.env.wasm.wasmPaths = { wasm: asyncifyWasmUrl };
  const backend = createBackend(ort, 'webgpu', 'webgpu');
  let isWatched = false;
  return {
    ...backend,
    open: async (model) => {
      const session = await backend.open(model);
      // The runtime has a device after its first session.
      if (!isWatched) void watchDevice((await ort.env.webgpu.device) as GpuDevice | undefined, onGpuLost);
      isWatched = true;
      return session;
    },
  };
};

interface GpuUse {
  /** Whether to ignore the GPU because it was lost before. */
  readonly avoidsGpu: boolean;
  /** Called when the GPU is lost, and all sessions with it. */
  readonly onGpuLost: (detail: string) => void;
}

/** Runs the graph once on zeros: compiles shaders, fills caches, and shows whether this backend supports the graph. */
const warmUp = async (session: Ort.InferenceSession, backend: Backend): Promise<void> => {
  const feeds: Record<string, Ort.Tensor> = {};
  for (const input of session.inputMetadata) {
    if (!input.isTensor) continue;
    const dims = input.shape.map((side, axis) =>
      typeof side === 'number' && side > 0 ? side : axis === 0 ? 1 : WARM_UP_SIDE,
    );
    const length = dims.reduce((product, side) => product * side, 1);
    feeds[input.name] = backend.tensor({ data: new Float32Array(length), dims });
  }
  await backend.run(session, feeds);
};

const open = async (model: Uint8Array, backend: Backend): Promise<InferenceSession> => {
  const session = await backend.open(model);
  await warmUp(session, backend);
  return {
    run: async (inputs, wanted) => {
      const feeds = Object.entries(inputs).map(([name, tensor]) => [name, backend.tensor(tensor)] as const);
      const outputs = await backend.run(session, Object.fromEntries(feeds), wanted);
      // The runtime has copied them.
      for (const { data } of Object.values(inputs)) giveTensorMemory(data.buffer);
      return Object.fromEntries(
        Object.entries(outputs).map(([name, { data, dims }]) => [name, { data: data as Float32Array, dims }]),
      );
    },
    close: () => backend.close(session),
  };
};

/**
 * Runs graphs on the GPU if the browser provides one, else on the CPU with WebAssembly.
 *
 * If the GPU cannot run a graph, WebAssembly runs it and all later graphs.
 */
export const createInferenceRuntime = async (
  log: Log,
  { avoidsGpu, onGpuLost }: GpuUse,
): Promise<InferenceRuntime> => {
  let backend = !avoidsGpu && (await hasGpu()) ? await webGpuBackend(onGpuLost) : await wasmBackend();
  return {
    get backend() {
      return backend.name;
    },
    parallelRuns: 1,
    createSession: async (model) => {
      try {
        return await open(model, backend);
      } catch (cause) {
        if (backend.name !== 'webgpu') throw cause;
        log.error('The GPU cannot run a model; falling back to WebAssembly', cause);
        backend = await wasmBackend();
        return open(model, backend);
      }
    },
  };
};
