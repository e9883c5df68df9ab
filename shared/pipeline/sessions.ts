import type { Manifest, ModelEntry } from '../catalogue/manifest';
import { verifyModel } from '../catalogue/verify';
import type { InferenceRuntime, InferenceSession, Tensor } from '../ports/inference';
import type { ModelFiles } from '../ports/model-files';
import type { System } from '../ports/system';
import type { Stopwatch } from './stopwatch';

/** A loaded model with what is known of it. */
export interface LoadedModel {
  readonly entry: ModelEntry;
  /** @returns the outputs in the manifest's order */
  run(input: Tensor): Promise<readonly Tensor[]>;
}

/** Loads each model once, when it is first wanted. */
export interface Sessions {
  get(entry: ModelEntry, onProgress?: (share: number) => void): Promise<LoadedModel>;
}

export interface SessionPorts {
  readonly runtime: InferenceRuntime;
  readonly modelFiles: ModelFiles;
  readonly system: System;
  readonly manifest: Manifest;
}

/** The same sessions; how long their models run goes to the step `models`. */
export const timeRuns = (sessions: Sessions, watch: Stopwatch): Sessions => ({
  get: async (entry, onProgress) => {
    const model = await sessions.get(entry, onProgress);
    return { entry, run: (input) => watch.time('models', () => model.run(input)) };
  },
});

const wrap = (entry: ModelEntry, session: InferenceSession): LoadedModel => ({
  entry,
  run: async (input) => {
    const outputs = await session.run({ [entry.input.name]: input });
    return entry.outputs.map((name) => {
      const output = outputs[name];
      if (!output) throw new Error(`model ${entry.id} has no output ${name}`);
      return output;
    });
  },
});

export const createSessions = (ports: SessionPorts): Sessions => {
  const loading = new Map<string, Promise<LoadedModel>>();
  const load = async (entry: ModelEntry, onProgress?: (share: number) => void): Promise<LoadedModel> => {
    const bytes = await ports.modelFiles.read(entry.file, onProgress);
    await verifyModel(entry, bytes, ports.system);
    return wrap(entry, await ports.runtime.createSession(bytes));
  };
  return {
    get: (entry, onProgress) => {
      const known = loading.get(entry.id);
      if (known) return known;
      const started = load(entry, onProgress);
      loading.set(entry.id, started);
      /* A failed load is forgotten, so that the next picture tries again. */
      started.catch(() => loading.delete(entry.id));
      return started;
    },
  };
};
