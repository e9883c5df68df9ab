import type { ImageSupport, Inspector, VideoSupport } from '#shared/ports/host-engine';
import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { ApiError } from '#shared/api/contract/errors';
import type { Limits } from '#shared/domain/limits';
import {
  FORMATS,
  isBagFormat,
  isVideoFormat,
  type Format,
  type ResultFormat,
} from '#shared/catalogue/formats';
import type { ImageOptions } from '#shared/domain/options';
import type { ImageHeader } from '#shared/domain/image-header';
import { UnreadableFile } from '#shared/domain/failure';
import { requireStitched } from '#shared/domain/projection';
import {
  isKnownKind,
  notAVideo,
  recogniseBag,
  recogniseFormat,
  requireResultFormat,
  requireSupport,
  unsupportedFile,
} from '#shared/engine/formats/recognise';
import { otherBag } from '#shared/media/mcap/other-bags';
import { diskSource } from '../adapters/disk-file';
import { areasOf } from '../cli/camera-areas';
import { fileOptions, type FileOptions, type FileSettings } from '../cli/file-settings';
import { FileProblem, readProblem } from './file-problem';
import { findFiles, isFile, type FoundFile, type SkippedEntry } from './find-files';
import {
  type MediaFile,
  readHead,
  allNames,
  isNamedLikeMedia,
  isNamedLikeVideo,
  hasSuffix,
} from './media-file';
import type { Output, Outputs } from './outputs';
import { doResultsExist } from './results';
import { fileStateOf, type SettledFiles } from './watch';

/** The files to process, and those that are skipped or refused. */
export interface BatchPlan {
  readonly files: readonly MediaFile[];
  readonly notTaken: readonly SkippedEntry[];
  /** Files that an earlier run has processed. */
  readonly done: readonly DoneFile[];
}

/** A file that an earlier run has processed. */
interface DoneFile extends FoundFile {
  /** Number of its uncertain objects, where a run asks for it. */
  readonly uncertain?: number;
}

interface PlanParts {
  readonly outputFolder: string | undefined;
  readonly suffix: string;
  /** Whether the number of uncertain objects must be known of each file. */
  readonly failOnUncertain: boolean;
  /** Which files of watched folders are planned now; absent: all. */
  readonly settled?: SettledFiles | undefined;
  readonly outputs: Outputs;
  readonly limits: Limits;
  readonly engine: ImageSupport & VideoSupport & Pick<Inspector, 'inspectImage'>;
  /** Of images; absent: the usual one. */
  readonly resultFormat?: ImageOptions['resultFormat'] | undefined;
  /** Of files without settings of their folder. */
  readonly settings: FileSettings;
  /** Whether folders have settings. */
  readonly folderSettings: boolean;
  /** See `Entry`. */
  readonly fingerprints: (how: FileOptions) => Readonly<Record<FingerprintKind, string>>;
  /** Why bags are refused, in a sentence; absent: they are not. */
  readonly noBags?: string | undefined;
}

/** Files whose results depend on the same options. */
export type FingerprintKind = (typeof FORMATS)[Format]['kind'];

type FormatParts = Pick<PlanParts, 'engine' | 'limits' | 'resultFormat'>;

export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/** The format of a file, and of its result. */
interface FoundFormat {
  readonly format: Format;
  readonly result: ResultFormat;
  readonly header?: ImageHeader;
}

/**
 * Of an image of another format than JPEG and PNG: all of the file is read, as anything in it may say that there is
 * transparency, or that it is an animation.
 */
const readFormat = async (
  path: string,
  sizeBytes: number,
  { engine, limits, resultFormat: wanted }: FormatParts,
): Promise<FoundFormat> => {
  if (sizeBytes > limits.maxImageBytes) throw new ApiError('image_too_large', limits.maxImageBytes);
  const header = await engine.inspectImage(diskSource(path, sizeBytes), limits);
  return { format: header.format, result: requireResultFormat({ header, wanted }, engine), header };
};

/** @throws UnreadableFile where it is a video of a kind that is not read, or an image that is refused */
export const formatOf = async (
  path: string,
  sizeBytes: number,
  head: Uint8Array,
  parts: FormatParts,
): Promise<FoundFormat | undefined> => {
  const bag = recogniseBag(head);
  if (bag) return { format: bag, result: bag };
  const format = recogniseFormat(head);
  if (!format) return undefined;
  if (isVideoFormat(format)) {
    requireSupport(format, parts.engine);
    return { format, result: 'mp4' };
  }
  if (format !== 'jpeg' && format !== 'png') return readFormat(path, sizeBytes, parts);
  const header = { format, hasAlpha: false };
  return { format, result: requireResultFormat({ header, wanted: parts.resultFormat }, parts.engine) };
};

/** Whether a file in a folder is neither an image nor a video, so that it is ignored without an error. */
const isNoMedia = ({ name, isNamed }: FoundFile, head: Uint8Array): boolean =>
  !isNamed && !isNamedLikeMedia(name) && !isKnownKind(head);

/** With a sentence about the file's actual kind. */
const refusalOf = ({ name }: FoundFile, head: Uint8Array): UnreadableFile =>
  otherBag(name, head) ??
  (isNamedLikeVideo(name) && head.length > 0 && !isKnownKind(head) ? notAVideo() : unsupportedFile(head));

const namesOf = (
  { path }: FoundFile,
  result: ResultFormat,
  name: string,
  { namer }: Output,
): MediaFile['outputs'] => {
  const outputs = namer.name(name, result, path);
  if (!outputs) throw new FileProblem('Its results would have the same names as those of another file.');
  if (allNames(outputs).length > 0) return outputs;
  throw new FileProblem(
    'With --method detect a video has no result: add --save-metadata, --save-report, --save-log or --export.',
  );
};

/** Settings with the areas of the camera of a file. @throws FileProblem where there are only those of others */
const withCameraAreas = (settings: FileSettings, { path, name }: FoundFile): FileSettings => {
  const { cameras, upload } = settings;
  if (!cameras) return settings;
  const hides = areasOf(cameras, path, name);
  if (hides === undefined) {
    throw new FileProblem(
      'No set of --hides is for its folder or name: add one, or one named "*" for all others.',
    );
  }
  return { ...settings, upload: { ...upload, hides } };
};

/** @returns undefined where the file is neither an image nor a video and is not named on the command line */
const planFile = async (file: FoundFile, parts: PlanParts): Promise<MediaFile | undefined> => {
  const { limits, settings, fingerprints } = parts;
  const { size: sizeBytes, mtimeMs } = await stat(file.path);
  const head = await readHead(file.path);
  const found = await formatOf(file.path, sizeBytes, head, parts);
  if (!found) {
    if (isNoMedia(file, head)) return undefined;
    throw refusalOf(file, head);
  }
  requireStitched(file.name);
  const isBag = isBagFormat(found.format);
  if (isBag && parts.noBags !== undefined) throw new FileProblem(parts.noBags);
  const kind = FORMATS[found.format].kind === 'image' ? 'image' : 'video';
  if (kind === 'image' && sizeBytes > limits.maxImageBytes) {
    throw new ApiError('image_too_large', limits.maxImageBytes);
  }
  const { output, name } = await parts.outputs.of(file);
  const how = fileOptions(withCameraAreas(file.settings ?? settings, file));
  return {
    ...file,
    name,
    folder: output.folder,
    manifest: output.manifest,
    kind,
    format: found.format,
    header: found.header,
    sizeBytes,
    outputs: namesOf(file, found.result, name, output),
    from: fingerprint(await realpath(file.path)),
    source: fingerprint([sizeBytes, mtimeMs]),
    how,
    options: fingerprints(how)[FORMATS[found.format].kind],
  };
};

/** The public sentence of an error of a file. @throws the error itself if it is a fault of the product */
const reasonOf = (error: unknown): string => {
  if (error instanceof UnreadableFile || error instanceof ApiError || error instanceof FileProblem) {
    return error.message;
  }
  if (error instanceof Error && 'syscall' in error) return readProblem(error);
  throw error;
};

/** What an earlier run has recorded of a file that it has processed; undefined: it is to be processed. */
const doneFileOf = async (file: MediaFile, { failOnUncertain }: PlanParts): Promise<DoneFile | undefined> => {
  const { name, source, options, folder, manifest } = file;
  const entry = manifest.get(name);
  if (!entry?.done || entry.source !== source || entry.options !== options) return undefined;
  if (failOnUncertain && entry.uncertain === undefined) return undefined;
  if (!(await doResultsExist(folder, entry.outputs))) return undefined;
  return { ...file, ...(failOnUncertain && { uncertain: entry.uncertain }) };
};

/** Whether a file next to sources is a result: of this suffix, or of an earlier run with another one. */
const isResult = async (file: FoundFile, { suffix, outputs, outputFolder }: PlanParts): Promise<boolean> => {
  if (hasSuffix(file.name, suffix)) return true;
  if (outputFolder !== undefined) return false;
  const { output, name } = await outputs.of(file);
  return output.manifest.ownerOf(name) !== undefined;
};

/** Whether a file or a problem is planned in this look at watched folders: each state of it once. */
const isTakenNow = async (found: FoundFile | SkippedEntry, { settled }: PlanParts): Promise<boolean> => {
  if (!settled) return true;
  const state = isFile(found) ? await fileStateOf(found.path) : found.reason;
  return state !== undefined && settled.takes(found.path, state);
};

/**
 * Checks all inputs before the first file is processed, so that the number of files is known from the start.
 *
 * Reads the first bytes of each file, because its content decides its format and not its name.
 *
 * @param stop ends planning early
 */
export const planBatch = async (
  inputs: readonly string[],
  parts: PlanParts,
  stop: AbortSignal,
): Promise<BatchPlan> => {
  const files: MediaFile[] = [];
  const notTaken: SkippedEntry[] = [];
  const done: FoundFile[] = [];
  for await (const found of findFiles(inputs, {
    outputFolder: parts.outputFolder,
    settings: parts.folderSettings ? parts.settings : undefined,
  })) {
    if (stop.aborted) break;
    if (!(await isTakenNow(found, parts))) continue;
    if (!isFile(found)) {
      notTaken.push(found);
      continue;
    }
    try {
      if (await isResult(found, parts)) {
        notTaken.push({ kind: 'left', path: found.path, reason: 'It is a result.' });
        continue;
      }
      const file = await planFile(found, parts);
      if (!file) {
        notTaken.push({ kind: 'left', path: found.path, reason: 'It is neither an image nor a video.' });
        continue;
      }
      const doneBefore = await doneFileOf(file, parts);
      if (doneBefore) done.push(doneBefore);
      else files.push(file);
    } catch (error) {
      notTaken.push({ kind: 'failed', path: found.path, reason: reasonOf(error) });
    }
  }
  return { files, notTaken, done };
};
