/** A float32 array with its shape; runtimes' own tensors never cross this port. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** A loaded model. */
export interface InferenceSession {
  /**
   * @param inputs and the result: by the graph's own names. The inputs must not be used afterwards: they may be
   * transferred
   * @param wanted the outputs that are copied out of the runtime; all, where it is left out
   */
  run(
    inputs: Readonly<Record<string, Tensor>>,
    wanted?: readonly string[],
  ): Promise<Readonly<Record<string, Tensor>>>;
  close(): Promise<void>;
}

/** How a model's runs use memory. */
export interface SessionOptions {
  /**
   * Keeps the working memory of a run for the next one: allocating large maps each time takes a third of the time. Only
   * for models whose inputs have a bounded size, as it is kept until the session ends.
   */
  readonly keepsWorkingMemory?: boolean;
}

/** Runs ONNX graphs. */
export interface InferenceRuntime {
  /** The backend, for people: `cpu`, `wasm (2 threads)`, `webgpu`. */
  readonly backend: string;
  /** Number of runs, of any session, that may be requested at once. */
  readonly lanes: number;
  /** @param model a file whose hash has been checked */
  createSession(model: Uint8Array, options?: SessionOptions): Promise<InferenceSession>;
}
