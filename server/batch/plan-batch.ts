import { createHash } from 'node:crypto';
import { open, realpath, stat } from 'node:fs/promises';
import { ApiError } from '#shared/api/errors';
import type { Limits } from '#shared/api/limits';
import { identifyFileKind } from '#shared/pipeline/file-kind';
import { sniffImage, UnreadableFile } from '#shared/pipeline/sniff';
import { isJpeg } from '#shared/pipeline/sniff-jpeg';
import { isPng } from '#shared/pipeline/sniff-png';
import type { ImageFormat } from '#shared/ports/engine';
import { PictureProblem, readProblem } from './file-problem';
import { findFiles, isFile, type FoundFile, type NotTaken } from './find-files';
import type { Manifest } from './manifest';
import { looksLikePicture, type Namer } from './output-names';
import type { Picture } from './picture';
import { areResultsThere } from './results';

/** What is to be done, and what is not. */
export interface BatchPlan {
  readonly pictures: readonly Picture[];
  readonly notTaken: readonly NotTaken[];
  /** Done by an earlier run. */
  readonly done: readonly FoundFile[];
}

interface PlanParts {
  readonly outputFolder: string;
  readonly manifest: Manifest;
  readonly namer: Namer;
  readonly limits: Limits;
  /** See `Entry`. */
  readonly options: string;
}

/** Enough to tell any kind of file that has a name. */
const HEAD_BYTES = 4096;

export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

const formatOf = (head: Uint8Array): ImageFormat | undefined => {
  if (isJpeg(head)) return 'jpeg';
  return isPng(head) ? 'png' : undefined;
};

/** Text files, programs and the like, which nobody expects to be anonymised. */
const isNoPicture = ({ name, isNamed }: FoundFile, head: Uint8Array): boolean =>
  !isNamed && !looksLikePicture(name) && identifyFileKind(head) === undefined;

/** @throws UnreadableFile that says what the file is instead of a picture */
const refuse = (head: Uint8Array, limits: Limits): never => {
  sniffImage(head, limits);
  throw new Error('A file that is no picture was taken for one.');
};

/** @returns undefined where the file is not a picture and need not be one */
const planPicture = async (file: FoundFile, { namer, limits }: PlanParts): Promise<Picture | undefined> => {
  const about = await stat(file.path);
  const head = await readHead(file.path);
  const format = formatOf(head);
  if (!format) return isNoPicture(file, head) ? undefined : refuse(head, limits);
  if (about.size > limits.maxImageBytes) throw new ApiError('image_too_large', limits.maxImageBytes);
  const outputs = namer.name(file.name, format);
  if (!outputs) throw new PictureProblem("Its results would have the names of another picture's.");
  const from = fingerprint(await realpath(file.path));
  return { ...file, outputs, from, source: fingerprint([about.size, about.mtimeMs]) };
};

/** @throws what is a fault of ours */
const reasonOf = (error: unknown): string => {
  if (error instanceof UnreadableFile || error instanceof ApiError || error instanceof PictureProblem) {
    return error.message;
  }
  if (error instanceof Error && 'syscall' in error) return readProblem(error);
  throw error;
};

const isDone = async (picture: Picture, { manifest, options, outputFolder }: PlanParts): Promise<boolean> => {
  const entry = manifest.get(picture.name);
  if (!entry?.done || entry.source !== picture.source || entry.options !== options) return false;
  return areResultsThere(outputFolder, entry.outputs);
};

/**
 * Looks at everything that was named, before anything is worked on: what is left is known from the start.
 *
 * Of each file the first bytes are read. What they say it is counts, not its name.
 *
 * @param stop ends it before its time
 */
export const planBatch = async (
  inputs: readonly string[],
  parts: PlanParts,
  stop: AbortSignal,
): Promise<BatchPlan> => {
  const pictures: Picture[] = [];
  const notTaken: NotTaken[] = [];
  const done: FoundFile[] = [];
  for await (const found of findFiles(inputs, parts.outputFolder)) {
    if (stop.aborted) break;
    if (!isFile(found)) {
      notTaken.push(found);
      continue;
    }
    try {
      const picture = await planPicture(found, parts);
      if (!picture) {
        notTaken.push({ kind: 'left', path: found.path, reason: 'It is not a picture.' });
      } else if (await isDone(picture, parts)) done.push(picture);
      else pictures.push(picture);
    } catch (error) {
      notTaken.push({ kind: 'failed', path: found.path, reason: reasonOf(error) });
    }
  }
  return { pictures, notTaken, done };
};
