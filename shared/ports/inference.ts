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

/** Runs ONNX graphs. */
export interface InferenceRuntime {
  /** What it runs on, for people: `cpu`, `wasm (2 threads)`, `webgpu`. */
  readonly backend: string;
  /** How many runs, of any session, it is asked for at once. */
  readonly lanes: number;
  /** @param model a file whose hash has been checked */
  createSession(model: Uint8Array): Promise<InferenceSession>;
}
