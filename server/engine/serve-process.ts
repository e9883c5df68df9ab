import { filesBehind, type OfferedFiles } from '#shared/engine/worker/offered-files';
import { inspector, readingImages } from '#shared/engine/host-engine';
import type { ByteSource } from '#shared/ports/video';
import { createPoolEngine, type PoolEngine } from '../adapters/engine';
import { diskSource, isDiskFile } from '../adapters/disk-file';
import { findVideoMeans } from '../adapters/video-means';
import {
  ANONYMISED,
  RENDERED,
  type EngineProcessOptions,
  type OfferedSink,
  type OfferedSource,
  type ServedProcess,
} from './served-process';

/** A message of this size occupies the host for about a millisecond. */
const PIECE_BYTES = 1024 ** 2;

/** The file itself if it has a path here; otherwise the host reads it. */
const localSource = ({ sizeBytes, handle, read }: OfferedSource): ByteSource =>
  isDiskFile(handle) ? diskSource(handle.path, sizeBytes, handle.convertedPath) : { sizeBytes, handle, read };

/** The files of a video: the source is opened here, and all writing stays with the host. */
const localFiles = (offered: OfferedFiles) => {
  const files = filesBehind(offered, false);
  return { ...files, source: localSource(offered) };
};

const send = async (sink: OfferedSink, name: string, bytes: Uint8Array): Promise<void> => {
  // At least one piece, so that an empty file exists.
  for (let position = 0; position === 0 || position < bytes.byteLength; position += PIECE_BYTES) {
    await sink.write(name, position, bytes.subarray(position, position + PIECE_BYTES));
  }
};

const openPool = async (
  { ffmpeg, modelsFolder, packsFolder, device, threads, log, ...pool }: EngineProcessOptions,
  onStuck: () => void,
): Promise<PoolEngine> => {
  const video = await findVideoMeans(ffmpeg);
  const workerData = { modelsFolder, packsFolder, device, threads, video, ffmpeg, log };
  return createPoolEngine({ ...pool, onStuck, workerData });
};

/**
 * The methods of an engine process over a pool of threads.
 *
 * @param onStuck called if aborted work does not stop
 */
export const serveProcess = (onStuck: () => void): ServedProcess => {
  let opening: Promise<PoolEngine> | undefined;
  const pool = (): Promise<PoolEngine> => {
    if (!opening) throw new Error('The engine process was not started by its host.');
    return opening;
  };
  const images = async () => readingImages(await pool());
  return {
    start: async (options) => {
      opening = openPool(options, onStuck);
      const { takesVideo, convertsVideo } = await opening;
      return { takesVideo, convertsVideo };
    },
    ping: async () => undefined,
    close: async () => (await opening)?.close(),
    inspectImage: (source, limits) => inspector.inspectImage(localSource(source), limits),
    inspectVideo: (source, format) => inspector.inspectVideo(localSource(source), format),
    load: async (...args) => (await pool()).load(...args),
    anonymiseImage: async (job, files, ...rest) => {
      const engine = await images();
      const { anonymised, masks, ...result } = await engine.anonymiseImage(
        { ...job, source: localSource(files) },
        ...rest,
      );
      if (anonymised) await send(files, ANONYMISED, anonymised);
      for (const [kind, mask] of Object.entries(masks)) await send(files, kind, mask);
      return result;
    },
    outlineObjects: async (source, ...rest) => (await images()).outlineObjects(localSource(source), ...rest),
    embedSample: async (source, ...rest) => (await images()).embedSample(localSource(source), ...rest),
    matchFaces: async (source, ...rest) => (await images()).matchFaces(localSource(source), ...rest),
    renderImage: async (job, files, signal) => {
      const engine = await images();
      await send(files, RENDERED, await engine.renderImage({ ...job, source: localSource(files) }, signal));
    },
    renderMask: async (plan, kind, scalePercent, sink, signal) =>
      send(sink, RENDERED, await (await pool()).renderMask(plan, kind, scalePercent, signal)),
    anonymiseVideo: async (job, files, ...rest) =>
      (await pool()).anonymiseVideo(job, localFiles(files), ...rest),
    surveyVideo: async (limits, files, signal) =>
      (await pool()).surveyVideo(limits, localFiles(files), signal),
    renderVideo: async (job, files, ...rest) => (await pool()).renderVideo(job, localFiles(files), ...rest),
    matchTracks: async (job, files, signal) => (await pool()).matchTracks(job, localFiles(files), signal),
  };
};
