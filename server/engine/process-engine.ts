import type { Engine, VideoSupport } from '#shared/ports/engine';
import { methodsBy, type RemoteCall } from '#shared/threads/calls';
import { whileReading } from '../adapters/disk-file';
import { checkImageResult, checkHeader } from './messages';
import { createRetrying } from './retrying';
import { ANONYMISED, RENDERED, type OfferedSink, type ServedProcess } from './served-process';

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
type Light = Pick<Engine, 'inspectImage' | 'renderImage' | 'renderMask'>;

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
