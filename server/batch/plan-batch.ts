import type { VideoSupport } from '#shared/ports/engine';
import { createHash } from 'node:crypto';
import { open, realpath, stat } from 'node:fs/promises';
import { ApiError } from '#shared/api/contract/errors';
import type { Limits } from '#shared/domain/limits';
import { identifyFileKind } from '#shared/domain/file-kind';
import { sniffImage, UnreadableFile } from '#shared/engine/formats/sniff';
import { isJpeg } from '#shared/engine/formats/sniff-jpeg';
import { isPng } from '#shared/engine/formats/sniff-png';
import { notAVideo, sniffVideo, VIDEO_HEAD_BYTES } from '#shared/engine/formats/sniff-video';
import { isVideoFormat, type SourceFormat } from '#shared/tasks/files/video-formats';
import { FileProblem, readProblem } from './file-problem';
import { findFiles, isFile, type FoundFile, type NotTaken } from './find-files';
import type { Manifest } from './manifest';
import type { MediaFile, MediaKind } from './media-file';
import { allNames, isNamedLikeMedia, isNamedLikeVideo, type Namer, type OutputNames } from './output-names';
import { areResultsThere } from './results';

/** What is to be done, and what is not. */
export interface BatchPlan {
  readonly files: readonly MediaFile[];
  readonly notTaken: readonly NotTaken[];
  /** Done by an earlier run. */
  readonly done: readonly FoundFile[];
}

interface PlanParts {
  readonly outputFolder: string;
  readonly manifest: Manifest;
  readonly namer: Namer;
  readonly limits: Limits;
  readonly video: VideoSupport;
  /** See `Entry`. */
  readonly options: Readonly<Record<MediaKind, string>>;
}

export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(VIDEO_HEAD_BYTES), 0, VIDEO_HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** @throws UnreadableFile where it is a video of a kind that is not read */
const formatOf = (head: Uint8Array, video: VideoSupport): SourceFormat | undefined => {
  if (isJpeg(head)) return 'jpeg';
  return isPng(head) ? 'png' : sniffVideo(head, video);
};

/** Text files, programs and the like, which nobody expects to be anonymised. */
const isNoMedia = ({ name, isNamed }: FoundFile, head: Uint8Array): boolean =>
  !isNamed && !isNamedLikeMedia(name) && identifyFileKind(head) === undefined;

/** @throws UnreadableFile that says what the file is instead of a picture or video */
const refuse = ({ name }: FoundFile, head: Uint8Array, limits: Limits): never => {
  if (isNamedLikeVideo(name) && head.length > 0 && !identifyFileKind(head)) throw notAVideo();
  sniffImage(head, limits);
  throw new Error('A file that is no picture was taken for one.');
};

const namesOf = ({ name }: FoundFile, format: SourceFormat, namer: Namer): OutputNames => {
  const outputs = namer.name(name, format);
  if (!outputs) throw new FileProblem('Its results would have the same names as those of another file.');
  if (allNames(outputs).length > 0) return outputs;
  throw new FileProblem('With --method detect a video has only metadata: add --save-metadata.');
};

/** @returns undefined where the file is neither a picture nor a video and need not be one */
const planFile = async (
  file: FoundFile,
  { namer, limits, options, video }: PlanParts,
): Promise<MediaFile | undefined> => {
  const { size: sizeBytes, mtimeMs } = await stat(file.path);
  const head = await readHead(file.path);
  const format = formatOf(head, video);
  if (!format) return isNoMedia(file, head) ? undefined : refuse(file, head, limits);
  const kind = isVideoFormat(format) ? 'video' : 'image';
  if (kind === 'image' && sizeBytes > limits.maxImageBytes) {
    throw new ApiError('image_too_large', limits.maxImageBytes);
  }
  return {
    ...file,
    kind,
    sizeBytes,
    outputs: namesOf(file, format, namer),
    from: fingerprint(await realpath(file.path)),
    source: fingerprint([sizeBytes, mtimeMs]),
    options: options[kind],
  };
};

/** @throws what is a fault of ours */
const reasonOf = (error: unknown): string => {
  if (error instanceof UnreadableFile || error instanceof ApiError || error instanceof FileProblem) {
    return error.message;
  }
  if (error instanceof Error && 'syscall' in error) return readProblem(error);
  throw error;
};

const isDone = async (file: MediaFile, { manifest, outputFolder }: PlanParts): Promise<boolean> => {
  const entry = manifest.get(file.name);
  if (!entry?.done || entry.source !== file.source || entry.options !== file.options) return false;
  return areResultsThere(outputFolder, entry.outputs);
};

/**
 * Checks all inputs before the first file is processed, so that the number of files is known from the start.
 *
 * Reads the first bytes of each file: these decide its format, not its name.
 *
 * @param stop ends it before its time
 */
export const planBatch = async (
  inputs: readonly string[],
  parts: PlanParts,
  stop: AbortSignal,
): Promise<BatchPlan> => {
  const files: MediaFile[] = [];
  const notTaken: NotTaken[] = [];
  const done: FoundFile[] = [];
  for await (const found of findFiles(inputs, parts.outputFolder)) {
    if (stop.aborted) break;
    if (!isFile(found)) {
      notTaken.push(found);
      continue;
    }
    try {
      const file = await planFile(found, parts);
      if (!file) {
        notTaken.push({ kind: 'left', path: found.path, reason: 'It is neither an image nor a video.' });
      } else if (await isDone(file, parts)) done.push(file);
      else files.push(file);
    } catch (error) {
      notTaken.push({ kind: 'failed', path: found.path, reason: reasonOf(error) });
    }
  }
  return { files, notTaken, done };
};
