import type { QualityPreset } from '#shared/domain/options';
import type { OpenedModel, RefusedFiles } from '../adapters/model-trials';
import type { FetchRefusal } from '../workers/fetch-in-pieces';
import type { TrialRefusal } from '../workers/model-trial';
import { createValue, type Readable } from './store';

/** Details of a recommended pack that the page shows before it is downloaded. */
export interface RecommendedPack {
  readonly id: string;
  readonly bytes: number;
  readonly licence: string;
  /** Quality presets that use it. */
  readonly presets: readonly QualityPreset[];
  /** Host from which it is downloaded. */
  readonly host: string;
}

/** Progress of adding the recommended models. */
export type RecommendedStatus =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly receivedBytes: number; readonly totalBytes: number }
  | { readonly kind: 'testing'; readonly id: string }
  | { readonly kind: 'refused'; readonly id: string; readonly refusal: FetchRefusal | TrialRefusal }
  | { readonly kind: 'added' };

/** Models that are downloaded only when the user asks for them. */
export interface RecommendedModels {
  readonly status: Readable<RecommendedStatus>;
  /** Downloads, tests and uses packs, one after another. A download that was interrupted is resumed. */
  add(packs: readonly RecommendedPack[]): Promise<void>;
  /** Stops the download; what is there is kept, to be resumed. */
  cancel(): void;
}

export interface RecommendedPorts {
  fetch(
    packId: string,
    onBytes: (received: number) => void,
    signal: AbortSignal,
  ): Promise<File | { readonly refusal: FetchRefusal }>;
  /** Reads files of a model, in a worker that ends with the test. */
  open(files: readonly File[]): Promise<OpenedModel | RefusedFiles>;
  makeTestImage(): Promise<File>;
  /** Removes the downloaded files, which are stored as added models by then. */
  removeDownloads(): Promise<void>;
  /** Called when the set of models in use has changed. */
  onChange(): Promise<void>;
}

type Refused = { readonly refusal: FetchRefusal | TrialRefusal };
const isRefused = (answer: object): answer is Refused => 'refusal' in answer;

/** Tests a downloaded model like one that the user adds, and stores it if it runs. */
const testAndKeep = async (file: File, ports: RecommendedPorts): Promise<Refused | undefined> => {
  const opened = await ports.open([file]);
  if (isRefused(opened)) return opened;
  try {
    // As the catalogue describes it: nothing is left to choose.
    const tried = await opened.try({ reading: 0, labels: {} }, await ports.makeTestImage());
    if (isRefused(tried)) return tried;
    const kept = await opened.keep();
    return isRefused(kept) ? kept : undefined;
  } finally {
    opened.close();
  }
};

/** Creates the store of the recommended models. */
export const createRecommendedModels = (ports: RecommendedPorts): RecommendedModels => {
  const status = createValue<RecommendedStatus>({ kind: 'none' });
  let running: AbortController | undefined;

  const addAll = async (packs: readonly RecommendedPack[], signal: AbortSignal): Promise<void> => {
    const totalBytes = packs.reduce((sum, { bytes }) => sum + bytes, 0);
    let before = 0;
    for (const { id, bytes } of packs) {
      const onBytes = (received: number): void => {
        if (!signal.aborted) status.send({ kind: 'loading', receivedBytes: before + received, totalBytes });
      };
      onBytes(0);
      const file = await ports.fetch(id, onBytes, signal);
      if (isRefused(file)) return status.send({ kind: 'refused', id, ...file });
      status.send({ kind: 'testing', id });
      const refused = await testAndKeep(file, ports);
      if (refused) return status.send({ kind: 'refused', id, ...refused });
      before += bytes;
      await ports.onChange();
      signal.throwIfAborted();
    }
    await ports.removeDownloads();
    status.send({ kind: 'added' });
  };

  return {
    status,
    add: async (packs) => {
      if (running) return;
      running = new AbortController();
      const { signal } = running;
      try {
        await addAll(packs, signal);
      } catch (cause) {
        if (!signal.aborted) {
          status.send({ kind: 'refused', id: packs[0]?.id ?? '', refusal: 'unreachable' });
          throw cause;
        }
        status.send({ kind: 'none' });
      } finally {
        running = undefined;
      }
    },
    cancel: () => running?.abort(),
  };
};
