import type { Manifest, ModelEntry } from '../../domain/manifest';
import type { ObjectClass } from '../../catalogue/classes';
import { verifyModel } from './verify';
import type {
  InferenceRuntime,
  InferenceSession,
  SessionOptions,
  Tensor,
  ModelFiles,
} from '../../ports/inference';
import type { BasicSystem } from '../../ports/system';
import { createGate } from '../runtime/in-parallel';

type Inputs = Parameters<InferenceSession['run']>[0];

/** A loaded model and its manifest entry. */
export interface LoadedModel {
  readonly entry: ModelEntry;
  /**
   * @param makeInput called shortly before the run starts, so that few of the large inputs wait in memory
   * @param others further inputs besides the image, by their names in the graph
   * @param wanted names of outputs; by default those of the manifest entry
   * @returns the outputs, in that order
   */
  run(makeInput: () => Tensor, others?: Inputs, wanted?: readonly string[]): Promise<readonly Tensor[]>;
}

/** Loads each model once, when it is first used. */
export interface Sessions {
  /** Number of concurrent runs; further ones wait. */
  readonly parallelRuns: number;
  get(entry: ModelEntry, onProgress?: (share: number) => void): Promise<LoadedModel>;
  /** Total time of runs so far, all workers together, in ms. */
  busyMs(): number;
}

const inOrder = (
  entry: ModelEntry,
  outputs: Readonly<Record<string, Tensor>>,
  wanted: readonly string[],
): readonly Tensor[] =>
  wanted.map((name) => {
    const output = outputs[name];
    if (!output) throw new Error(`model ${entry.id} has no output ${name}`);
    return output;
  });

/**
 * Minimum number of values of a large input, as images of 4:3 have in the largest passes of detectors. Such a run takes
 * up to 170 MiB. Two at once need a tenth more memory for an image of 48 megapixels, and no less time than one after
 * the other.
 */
const LARGE_INPUT = 2e6;

/** Classes of objects that are searched at several scales, and have a mask each: many runs wait at once. */
const OUTLINED: readonly ObjectClass[] = ['person', 'vehicle'];

/** @param parallelRuns number of runs at once, over all sessions */
const sessionOptions = ({ refinement, classes }: ModelEntry, parallelRuns: number): SessionOptions => ({
  // A detector that runs as a cascade has inputs of a bounded size.
  keepsWorkingMemory: refinement !== undefined,
  runsAtOnce: classes.some((name) => OUTLINED.includes(name)) ? parallelRuns : 1,
});

/** Prepares an input and runs it, each when it is its turn. */
type TakeTurns = <T>(makeInput: () => Tensor, run: (input: Tensor) => Promise<T>) => Promise<T>;

const createTurns = (parallelRuns: number): TakeTurns => {
  const prepared = createGate(parallelRuns + 1); // One more than run at once: the next input is ready when a worker is free.
  const running = createGate(parallelRuns);
  const runningLarge = createGate(1);
  return async (makeInput, run) =>
    prepared(async () => {
      const input = makeInput();
      const start = async () => running(async () => run(input));
      return input.data.length < LARGE_INPUT ? start() : runningLarge(start);
    });
};

export interface SessionPorts {
  readonly runtime: InferenceRuntime;
  readonly modelFiles: ModelFiles;
  readonly system: BasicSystem;
  readonly manifest: Manifest;
}

export const createSessions = ({ runtime, modelFiles, system, manifest }: SessionPorts): Sessions => {
  const { parallelRuns } = runtime;
  const take = createTurns(parallelRuns);
  let busyMs = 0;
  const runInWorker = async (
    session: InferenceSession,
    inputs: Inputs,
    wanted: readonly string[],
  ): ReturnType<InferenceSession['run']> => {
    const started = system.elapsedMs();
    try {
      return await session.run(inputs, wanted);
    } finally {
      busyMs += system.elapsedMs() - started;
    }
  };
  const wrap = (entry: ModelEntry, session: InferenceSession): LoadedModel => ({
    entry,
    run: async (makeInput, others = {}, wanted = entry.outputs) => {
      const outputs = await take(makeInput, (input) =>
        runInWorker(session, { ...others, [entry.input.name]: input }, wanted),
      );
      return inOrder(entry, outputs, wanted);
    },
  });
  /** Combines a model with the model whose features it reads, so that the pair takes the image itself. */
  const withFeatures = (
    model: LoadedModel,
    { model: id, output }: NonNullable<ModelEntry['features']>,
  ): LoadedModel => {
    const first = manifest.models.find((one) => one.id === id);
    if (!first) {
      throw new Error(`model ${model.entry.id} needs features of ${id}, which the manifest does not contain`);
    }
    return {
      entry: model.entry,
      run: async (makeInput, ...rest) => {
        const [features] = await (await get(first)).run(makeInput, {}, [output]);
        return model.run(() => features as Tensor, ...rest);
      },
    };
  };
  const loading = new Map<string, Promise<LoadedModel>>();
  const load = async (entry: ModelEntry, onProgress?: (share: number) => void): Promise<LoadedModel> => {
    const bytes = await modelFiles.read(entry.file, onProgress);
    await verifyModel(entry, bytes, system);
    const model = wrap(entry, await runtime.createSession(bytes, sessionOptions(entry, parallelRuns)));
    return entry.features ? withFeatures(model, entry.features) : model;
  };
  const get: Sessions['get'] = (entry, onProgress) => {
    const known = loading.get(entry.id);
    if (known) return known;
    const started = load(entry, onProgress);
    loading.set(entry.id, started);
    // A failed load is removed, so that the next image tries again.
    started.catch(() => loading.delete(entry.id));
    return started;
  };
  return { parallelRuns, busyMs: () => busyMs, get };
};
