import type { Log } from '#shared/ports/system';
import type {
  InspectedModel,
  KeptModels,
  ModelChoice,
  ModelRefusal,
  TriedModels,
} from '../workers/model-trial';
import { startWorker } from './engine';

/** A model that was read and can be tested. */
export interface OpenedModel {
  readonly model: InspectedModel;
  try(choice: ModelChoice, image: File): Promise<TriedModels>;
  /** Stores the model that was tested last. */
  keep(): Promise<KeptModels>;
  /** Ends the worker. */
  close(): void;
}

export type RefusedFiles = { readonly refusal: ModelRefusal };

/** Time limit of a test. A model that takes longer for one image is unusable or hostile. */
const LONGEST_MS = 120_000;

const tooLong = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Error('the test took too long')), LONGEST_MS);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });

/**
 * Reads files that may contain a model and tests it, in a separate worker: an untrusted file can bring down nothing
 * else, and is stopped if it does not end.
 *
 * @param files any dropped files
 */
export const openModel = async (files: readonly File[], log: Log): Promise<OpenedModel | RefusedFiles> => {
  const closed = new AbortController();
  const bridge = startWorker({ avoidsGpu: false, avoidsOwnModels: true }, (cause) => {
    if (!closed.signal.aborted) log.error('A tested model ended its worker', cause);
  });
  const close = (): void => {
    closed.abort();
    bridge.end('it is not needed any more');
  };
  const refused = { refusal: 'does-not-run' } as const;
  const ask = async <T>(work: () => Promise<T>): Promise<T | typeof refused> => {
    if (closed.signal.aborted) return refused;
    const done = new AbortController();
    try {
      return await Promise.race([work(), tooLong(done.signal)]);
    } catch (cause) {
      if (!closed.signal.aborted) log.error('A model was refused', cause);
      close(); // a test that still runs ends with its worker
      return refused;
    } finally {
      done.abort();
    }
  };
  const inspected = await ask(() => bridge.worker.inspectModels(files));
  if ('refusal' in inspected) {
    close();
    return inspected;
  }
  return {
    model: inspected,
    try: (choice, image) => ask(() => bridge.worker.tryModels(choice, image)),
    keep: () => ask(() => bridge.worker.keepModels()),
    close,
  };
};
