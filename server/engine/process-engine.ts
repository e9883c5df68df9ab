import { FailureError } from '#shared/domain/failure';
import { IMAGE_RESULT_FORMATS } from '#shared/catalogue/formats';
import type { ImageResult } from '#shared/ports/engine';
import type { Engine, VideoSupport } from '#shared/ports/host-engine';
import { createWeightedQueue } from '#shared/tasks/base/weighted-queue';
import { INTERRUPTED, MAX_ATTEMPTS } from '#shared/tasks/run/outcome';
import { methodsBy, type RemoteCall } from '#shared/threads/calls';
import { whileReading } from '../adapters/disk-file';
import { checkImageResult, checkHeader } from './messages';
import { ANONYMISED, RENDERED, type OfferedSink, type ServedProcess } from './served-process';

/** The engine process has ended while it worked on a call. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';

  /** @param isBlameless whether the calls are known not to be the reason */
  constructor(
    message: string,
    readonly isBlameless = false,
  ) {
    super(message);
  }
}

/** Weight of work that runs alone, next to the 1 of other work. */
const ALONE = 2 ** 32;

/** Work that is without blame so often is to blame. */
const MAX_EXCUSES = 30;

/**
 * Creates `Engine.retrying` for an engine that may end.
 *
 * All work that ran when the engine ended runs again, one piece at a time: the piece that ends the engine shows itself
 * when it does so while it runs alone. Only that piece fails, after as many attempts as a task has (decision 5). Pieces
 * that have done so once run after all others.
 */
export const createRetrying = (): Engine['retrying'] => {
  const turns = createWeightedQueue({ capacity: ALONE });
  return async (work, signal) => {
    let isAlone = false;
    let excuses = 0;
    for (let failures = 0; failures < MAX_ATTEMPTS;) {
      try {
        return await turns.run(work, isAlone ? ALONE : 1, { signal, rank: failures });
      } catch (error) {
        if (!(error instanceof EngineLost)) throw error;
        if (error.isBlameless && excuses++ < MAX_EXCUSES) continue;
        if (isAlone) failures += 1;
        isAlone = true;
      }
    }
    throw new FailureError(INTERRUPTED);
  };
};

/** Encoded results are much smaller: 178 megapixels of noise have 700 MB as PNG. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** Files that arrive in pieces. */
interface CollectedFiles extends OfferedSink {
  /** @returns undefined if nothing was written */
  find(name: string): Uint8Array | undefined;
  /** @throws if nothing was written */
  get(name: string): Uint8Array;
}

/**
 * Collects the encoded files of a result in memory.
 *
 * @param names of the files that may come
 */
export const collectFiles = (names: readonly string[]): CollectedFiles => {
  const files = new Map<string, { readonly pieces: Uint8Array[]; sizeBytes: number }>();
  const find = (name: string): Uint8Array | undefined => {
    const file = files.get(name);
    return file && Buffer.concat(file.pieces, file.sizeBytes);
  };
  return {
    write: async (name, position, bytes) => {
      const file = files.get(name) ?? { pieces: [], sizeBytes: 0 };
      const isNext = names.includes(name) && bytes instanceof Uint8Array && position === file.sizeBytes;
      if (!isNext || position + bytes.byteLength > MAX_FILE_BYTES) {
        throw new Error('The engine process wrote a result that was not asked for.');
      }
      files.set(name, file);
      file.pieces.push(bytes);
      file.sizeBytes += bytes.byteLength;
    },
    find,
    get: (name) => {
      const file = find(name);
      if (!file) throw new Error(`The engine process has not written the file ${name}.`);
      return file;
    },
  };
};

/** Methods that take moments: they do not wait for the work of tasks. */
type Light = Pick<Engine, 'inspectImage' | 'inspectGiven' | 'renderImage' | 'renderMask'>;

const NEVER = new AbortController().signal;

/** Inspections and renderings in an engine process. Each is tried again on its own if the process ends. */
const lightWorkInProcess = (remote: RemoteCall): Light => {
  const retrying = createRetrying();
  const engine = methodsBy<ServedProcess>(remote);
  const tried = <T>(work: () => Promise<T>, signal = NEVER): Promise<T> =>
    whileReading(() => retrying(work, signal));
  const rendered = (render: (sink: OfferedSink) => Promise<void>, signal: AbortSignal): Promise<Uint8Array> =>
    tried(async () => {
      const files = collectFiles([RENDERED]);
      await render(files);
      return files.get(RENDERED);
    }, signal);
  return {
    inspectImage: async (...args) => checkHeader(await tried(() => engine.inspectImage(...args))),
    inspectGiven: (given) => tried(() => engine.inspectGiven(given)),
    renderImage: (job, signal) => rendered(({ write }) => engine.renderImage(job, { write }, signal), signal),
    renderMask: (plan, kind, scalePercent, signal) =>
      rendered(({ write }) => engine.renderMask({ write }, plan, kind, scalePercent, signal), signal),
  };
};

/**
 * An engine in processes of its own.
 *
 * They read images from their paths. Errors of their disk are those of this process.
 *
 * @param tasks calls the process that works on tasks @param requests calls the one for inspections and renderings
 */
export const createProcessEngine = (
  tasks: RemoteCall,
  requests: RemoteCall,
  support: VideoSupport,
): Engine => {
  const call: RemoteCall = (method, args) => whileReading(() => tasks(method, args));
  const engine = methodsBy<ServedProcess>(call);
  return methodsBy<Engine>(call, {
    ...support,
    writtenFormats: IMAGE_RESULT_FORMATS,
    ...lightWorkInProcess(requests),
    retrying: createRetrying(),
    anonymiseImage: async (job, ...rest) => {
      const { find, write } = collectFiles([ANONYMISED, ...job.masks]);
      const result = checkImageResult(await engine.anonymiseImage(job, { write }, ...rest));
      const masks = job.masks.map((kind) => [kind, find(kind)] as const).filter(([, mask]) => mask);
      return { ...result, anonymised: find(ANONYMISED) ?? null, masks: Object.fromEntries(masks) };
    },
  });
};

/** The same engine with a listener. @param onDone called with the result of each image */
export const measuredEngine = (engine: Engine, onDone: (result: ImageResult) => void): Engine =>
  // Not spread: an engine in a process does not list its methods.
  Object.assign(Object.create(engine) as Engine, {
    anonymiseImage: async (...job: Parameters<Engine['anonymiseImage']>) => {
      const result = await engine.anonymiseImage(...job);
      onDone(result);
      return result;
    },
  });
