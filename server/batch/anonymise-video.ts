import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { VideoFiles } from '#shared/ports/engine';
import type { ByteSource } from '#shared/ports/video';
import { FRAMES_PER_FILE } from '#shared/tasks/files/video-files';
import type { DiskFile } from '../adapters/disk-file';
import { createPrivateFolder } from '../adapters/private-folder';
import { readExactly } from '../adapters/read-exactly';
import type { BatchParts } from './batch-parts';
import { createTally } from './count-objects';
import { FileProblem, readProblem, writeProblem } from './file-problem';
import { createFrameList, type FrameList } from './frame-list';
import type { MediaFile } from './media-file';
import type { FileReport } from './report';
import type { UnfinishedResults } from './results';
import { videoFacts } from './video-facts';

interface OpenedVideo {
  readonly source: ByteSource;
  /** The error of the last failed read. The engine does not keep the class of an error that passes through it. */
  readonly fault: () => unknown;
  /** Removes temporary files as well. */
  close(): Promise<void>;
}

const asReadProblem = (error: unknown): FileProblem =>
  new FileProblem(error instanceof RangeError ? 'It became shorter while it was read.' : readProblem(error), {
    cause: error,
  });

const openVideo = async (path: string): Promise<OpenedVideo> => {
  // A converted copy shows everybody, and the output folder may be given to other people.
  const own = await createPrivateFolder().catch((error: unknown) => {
    throw writeProblem(error);
  });
  const file = await open(path, 'r').catch(async (error: unknown) => {
    await own.remove();
    throw asReadProblem(error);
  });
  let fault: unknown;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    try {
      const bytes = await readExactly(file, start, end);
      fault = undefined;
      return bytes;
    } catch (error) {
      fault = asReadProblem(error);
      throw fault;
    }
  };
  const { size: sizeBytes } = await file.stat();
  const handle: DiskFile = { path: resolve(path), convertedPath: join(own.path, 'converted.mp4') };
  const close = async (): Promise<void> => {
    await file.close();
    await own.remove();
  };
  return { source: { sizeBytes, read, handle }, fault: () => fault, close };
};

/** Target with the method `detect`, which writes no video. */
const NOTHING_IS_WRITTEN: VideoFiles['target'] = {
  write: () => Promise.reject(new Error('a video must not be written with the method detect')),
};

const filesOf = async (
  { outputs }: MediaFile,
  results: UnfinishedResults,
): Promise<{ target: VideoFiles['target']; frames: FrameList | undefined }> => {
  const { anonymised, metadata } = outputs;
  return {
    target: anonymised === null ? NOTHING_IS_WRITTEN : await results.create(anonymised),
    frames: metadata === null ? undefined : createFrameList(await results.create(metadata)),
  };
};

/** Anonymises a video, reading and writing it and its metadata in pieces. @throws UnreadableFile, FileProblem, DiskFull */
export const anonymiseVideo = async (
  file: MediaFile,
  results: UnfinishedResults,
  { config, engine, report }: BatchParts,
  signal: AbortSignal,
): Promise<FileReport> => {
  const { target, frames } = await filesOf(file, results);
  const video = await openVideo(file.path);
  const tally = createTally();
  try {
    const { options, limits, video: job } = config;
    const files: VideoFiles = {
      source: video.source,
      target,
      report: async (some) => {
        tally.add(some.flatMap(({ detections }) => detections));
        await frames?.add(some);
      },
    };
    const { durationS, ...outcome } = await engine.anonymiseVideo(
      { ...job, options, limits, framesPerReport: FRAMES_PER_FILE },
      files,
      (progress) => report.progressed(file, progress),
      signal,
    );
    await frames?.end();
    return {
      objects: tally.counts(),
      seconds: durationS,
      video: videoFacts(outcome, file.outputs.anonymised !== null),
    };
  } catch (error) {
    throw video.fault() ?? error;
  } finally {
    await video.close();
  }
};
