/** Reads model files by their names in the manifest. */
export interface ModelFiles {
  /** @param onProgress receives the share of the file that has been read, 0..1 */
  read(file: string, onProgress?: (share: number) => void): Promise<Uint8Array>;
}

/** A float32 array with its shape; runtimes' own tensors never cross this port. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** A loaded model. */
export interface InferenceSession {
  /**
   * Runs the graph once.
   *
   * @param inputs tensors by the graph's input names. They must not be used afterwards: they may be transferred
   * @param wanted names of the outputs to return; all if absent
   * @returns tensors by the graph's output names
   */
  run(
    inputs: Readonly<Record<string, Tensor>>,
    wanted?: readonly string[],
  ): Promise<Readonly<Record<string, Tensor>>>;
  close(): Promise<void>;
}

/** How a model's runs use memory and cores. */
export interface SessionOptions {
  /**
   * Keeps the working memory of a run for the next one, because allocating large feature maps takes a third of a run.
   * Only for models whose inputs have a bounded size: the memory is kept until the session ends.
   */
  readonly keepsWorkingMemory?: boolean;
  /**
   * Number of its runs that share the cores, 1 if absent: small runs next to each other take less time than one after
   * another on all cores.
   */
  readonly runsAtOnce?: number;
}

/** Runs ONNX graphs. */
export interface InferenceRuntime {
  /** Name of the backend for users: `cpu`, `wasm (2 threads)`, `webgpu`. */
  readonly backend: string;
  /** Number of runs that may be requested at once, over all sessions. */
  readonly parallelRuns: number;
  /** @param model bytes of a file whose hash has been checked */
  createSession(model: Uint8Array, options?: SessionOptions): Promise<InferenceSession>;
}
