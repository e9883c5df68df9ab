/** A float32 array with its shape; runtimes' own tensors never cross this port. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** A loaded model. */
export interface InferenceSession {
  /**
   * @param inputs and the result: by the graph's own names. The inputs are given up: they may move elsewhere
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
   * Keeps what a run worked with for the next one: large maps cost a third of the time where they are asked of the system
   * each time. Only for models whose inputs have a bounded size, as it is kept until the session ends.
   */
  readonly keepsWorkingMemory?: boolean;
}

/** Runs ONNX graphs. */
export interface InferenceRuntime {
  /** What it runs on, for people: `cpu`, `wasm (2 threads)`, `webgpu`. */
  readonly backend: string;
  /** How many runs, of any session, it is asked for at once. */
  readonly lanes: number;
  /** @param model a file whose hash has been checked */
  createSession(model: Uint8Array, options?: SessionOptions): Promise<InferenceSession>;
}
