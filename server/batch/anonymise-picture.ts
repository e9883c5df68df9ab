import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { imageMetadata } from '#shared/api/metadata';
import type { Engine, ImageResult, MaskKind } from '#shared/ports/engine';
import { DEFAULT_ENCODINGS } from '#shared/tasks/image-formats';
import type { Queue } from '#shared/tasks/queue';
import { savedMasks } from '#shared/tasks/settings';
import { timeoutSentence } from '#shared/tasks/task-timeout';
import type { BatchConfig } from '../config';
import { PictureProblem, readProblem } from './file-problem';
import type { Manifest } from './manifest';
import { allNames } from './output-names';
import type { Picture } from './picture';
import { checkPlaces, removeResults, writeResults, type ResultFiles } from './results';

export interface PictureParts {
  readonly config: BatchConfig;
  readonly engine: Engine;
  /** Pictures in the engine at once. */
  readonly inWork: Queue;
  readonly manifest: Manifest;
  /** See `Entry`. */
  readonly optionsFingerprint: string;
}

const read = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return await readFile(path);
  } catch (error) {
    throw new PictureProblem(readProblem(error), { cause: error });
  }
};

/** Works on one picture; its time counts from when it is its turn. */
const anonymise = (path: string, parts: PictureParts, stop: AbortSignal): Promise<ImageResult> =>
  parts.inWork.run(async () => {
    stop.throwIfAborted();
    const { options, limits, keepMetadata, taskTimeoutMs } = parts.config;
    const job = {
      bytes: await read(path),
      options,
      limits,
      encodings: DEFAULT_ENCODINGS,
      masks: savedMasks(parts.config),
      keepMetadata,
    };
    if (taskTimeoutMs === undefined) return parts.engine.anonymiseImage(job, () => undefined, stop);
    const timeout = AbortSignal.timeout(taskTimeoutMs);
    try {
      return await parts.engine.anonymiseImage(job, () => undefined, AbortSignal.any([stop, timeout]));
    } catch (error) {
      if (!timeout.aborted || stop.aborted) throw error;
      throw new PictureProblem(timeoutSentence(taskTimeoutMs), { cause: error });
    }
  });

const metadataText = (name: string, result: ImageResult): string => {
  const folder = posix.dirname(name);
  const origin = { filename: posix.basename(name), folder: folder === '.' ? null : folder };
  const masks = Object.keys(result.masks) as MaskKind[];
  return `${JSON.stringify(imageMetadata(origin, { report: result.report, masks }), null, 2)}\n`;
};

const filesOf = ({ name, outputs }: Picture, result: ImageResult): ResultFiles => {
  const files = new Map<string, Uint8Array | string>();
  for (const [kind, mask] of Object.entries(result.masks)) files.set(outputs.masks[kind as MaskKind]!, mask);
  if (outputs.metadata !== null) files.set(outputs.metadata, metadataText(name, result));
  if (outputs.picture !== null) files.set(outputs.picture, result.anonymised!);
  return files;
};

/**
 * Takes one picture from its file to its results.
 *
 * The manifest is told before and after: whatever is interrupted, results are known as such, and done again.
 *
 * @throws UnreadableFile, PictureProblem, DiskFull
 */
export const anonymisePicture = async (
  picture: Picture,
  parts: PictureParts,
  stop: AbortSignal,
): Promise<ImageResult> => {
  const { config, manifest, optionsFingerprint } = parts;
  await checkPlaces(config.outputFolder, picture, manifest);
  const result = await anonymise(picture.path, parts, stop);
  stop.throwIfAborted();

  const { name, from, source } = picture;
  const outputs = allNames(picture.outputs);
  const earlier = manifest.get(name)?.outputs ?? [];
  const entry = { name, from, source, options: optionsFingerprint };
  await manifest.put({ ...entry, outputs: [...new Set([...earlier, ...outputs])], done: false });
  await writeResults(config.outputFolder, filesOf(picture, result));
  await removeResults(
    config.outputFolder,
    earlier.filter((each) => !outputs.includes(each)),
  );
  await manifest.put({ ...entry, outputs, done: true });
  return result;
};
