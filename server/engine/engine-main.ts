import {
  inspector,
  listGivenFile,
  withImageDetections,
  withVideoDetections,
} from '#shared/engine/host-engine';
import type { Inspector } from '#shared/ports/host-engine';
import type { ByteSource } from '#shared/ports/video';
import { runMethod, type RemoteCall } from '#shared/threads/calls';
import { createPoolEngine, type PoolEngine } from '../adapters/engine';
import { diskSource, isDiskFile } from '../adapters/disk-file';
import { findVideoBackend } from '../adapters/video-backend';
import { createGivenFiles } from './given-files';
import type { FromHost } from './messages';
import { answerHost } from './process-calls';
import {
  type EngineProcessOptions,
  type OfferedSink,
  type ServedProcess,
  ANONYMISED,
  RENDERED,
} from './served-process';
import { endProcessGroup } from './spawn-engine';

/** A message of this size occupies the host for about a millisecond. */
const PIECE_BYTES = 1024 ** 2;

/** The file itself if it has a path here; otherwise the host reads it. */
const localSource = (source: ByteSource): ByteSource =>
  isDiskFile(source.handle)
    ? diskSource(source.handle.path, source.sizeBytes, source.handle.convertedPath)
    : source;

/** An argument of a call, whose files are opened here: a file itself, or those of a job. */
const withLocalSource = (arg: unknown): unknown => {
  if (typeof arg !== 'object' || arg === null) return arg;
  const own = 'given' in arg ? { ...arg, given: withLocalSource(arg.given) } : arg;
  if ('source' in own) return { ...own, source: localSource(own.source as ByteSource) };
  return 'read' in own ? localSource(own as unknown as ByteSource) : own;
};

const send = async (sink: OfferedSink, name: string, bytes: Uint8Array): Promise<void> => {
  // At least one piece, so that an empty file exists.
  for (let position = 0; position === 0 || position < bytes.byteLength; position += PIECE_BYTES) {
    await sink.write(name, position, bytes.subarray(position, position + PIECE_BYTES));
  }
};

const openPool = async (
  { ffmpeg, modelsFolder, packsFolder, threads, log, ...pool }: EngineProcessOptions,
  onStuck: () => void,
): Promise<PoolEngine> => {
  const video = await findVideoBackend(ffmpeg);
  const workerData = { modelsFolder, packsFolder, threads, video, ffmpeg, log };
  return createPoolEngine({ ...pool, onStuck, workerData });
};

/** The methods of the process itself, and those whose results are written or made without a thread. */
type OwnMethods = Pick<
  ServedProcess,
  'start' | 'ping' | 'stuck' | 'close' | keyof Inspector | 'anonymiseImage' | 'renderImage' | 'renderMask'
>;

/** Without its host nobody wants its work. Programs that it started end with it. */
const end = (): void => endProcessGroup(process.pid);
process.on('disconnect', end);

/** Runs the methods of an engine process over a pool of threads: see `ServedProcess`. */
const serveProcess = (): RemoteCall => {
  const list = createGivenFiles(listGivenFile);
  let opening: Promise<PoolEngine> | undefined;
  let tellStuck = (): void => undefined;
  const stuck = new Promise<void>((resolve) => (tellStuck = resolve));
  const pool = (): Promise<PoolEngine> => {
    if (!opening) throw new Error('The engine process was not started by its host.');
    return opening;
  };
  const own: OwnMethods = {
    ...inspector,
    start: async (options) => {
      opening = openPool(options, () => {
        tellStuck();
        setImmediate(end); // after the answer to `stuck`
      });
      const { takesVideo, convertsVideo } = await opening;
      return { takesVideo, convertsVideo };
    },
    ping: async () => undefined,
    stuck: () => stuck,
    close: async () => (await opening)?.close(),
    anonymiseImage: async (job, sink, ...rest) => {
      const { anonymised, masks, ...result } = await withImageDetections(await pool(), list).anonymiseImage(
        job,
        ...rest,
      );
      if (anonymised) await send(sink, ANONYMISED, anonymised);
      for (const [kind, mask] of Object.entries(masks)) await send(sink, kind, mask);
      return result;
    },
    renderImage: async (job, sink, signal) =>
      send(sink, RENDERED, await withImageDetections(await pool()).renderImage(job, signal)),
    renderMask: async (sink, ...args) => send(sink, RENDERED, await (await pool()).renderMask(...args)),
  };
  return async (method, args) => {
    const local = args.map(withLocalSource);
    if (Object.hasOwn(own, method)) return runMethod(own, method, local);
    const engine = await pool();
    const reading = { ...withImageDetections(engine, list), ...withVideoDetections(engine, list) };
    if (Object.hasOwn(reading, method)) return runMethod(reading, method, local);
    return Reflect.get(engine, method)(...local) as unknown;
  };
};

const take = answerHost(
  serveProcess(),
  // An error means that the host has ended.
  (message) => void process.send?.(message, undefined, {}, (error) => error && end()),
);
process.on('message', (message: FromHost) => take(message));
