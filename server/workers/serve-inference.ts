import type { InferenceRuntime, InferenceSession, SessionOptions, Tensor } from '#shared/ports/inference';

/** One thread that runs models, as it is called from another. */
export interface InferenceWorker {
  /** @returns what the session is called by from now on */
  open(model: Uint8Array, options?: SessionOptions): Promise<number>;
  run(
    session: number,
    inputs: Readonly<Record<string, Tensor>>,
    wanted?: readonly string[],
  ): Promise<Readonly<Record<string, Tensor>>>;
  close(session: number): Promise<void>;
}

type Inputs = Readonly<Record<string, Tensor>>;

const isShared = ({ data }: Tensor): boolean => data.buffer instanceof SharedArrayBuffer;

const sharedBytes = (inputs: Inputs): number =>
  Object.values(inputs)
    .filter(isShared)
    .reduce((sum, { data }) => sum + data.byteLength, 0);

/** Inputs with what threads share copied into `memory`: the runtime reads no shared memory. */
const copyShared = (inputs: Inputs, memory: ArrayBuffer): Inputs => {
  let offset = 0;
  const own = (tensor: Tensor): Tensor => {
    if (!isShared(tensor)) return tensor;
    const data = new Float32Array(memory, offset, tensor.data.length);
    data.set(tensor.data);
    offset += data.byteLength;
    return { ...tensor, data };
  };
  return Object.fromEntries(Object.entries(inputs).map(([name, tensor]) => [name, own(tensor)]));
};

export const serveInference = (runtime: InferenceRuntime): InferenceWorker => {
  const sessions: InferenceSession[] = [];
  /** As large as the largest inputs so far; absent while a run uses it. */
  let idle: ArrayBuffer | undefined;
  const find = (id: number): InferenceSession => {
    const session = sessions[id];
    if (!session) throw new Error(`there is no session ${id}`);
    return session;
  };
  return {
    open: async (model, options) => sessions.push(await runtime.createSession(model, options)) - 1,
    run: async (id, inputs, wanted) => {
      const bytes = sharedBytes(inputs);
      const memory = idle && idle.byteLength >= bytes ? idle : new ArrayBuffer(bytes);
      idle = undefined;
      const outputs = await find(id).run(copyShared(inputs, memory), wanted);
      idle = memory;
      // A copy moves: the runtime's own memory cannot.
      const copies = Object.entries(outputs).map(
        ([name, { data, dims }]) => [name, { data: data.slice(), dims }] as const,
      );
      return Object.fromEntries(copies);
    },
    close: (id) => find(id).close(),
  };
};
