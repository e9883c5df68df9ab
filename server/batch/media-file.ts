import type { ImageHeader } from '#shared/domain/image-header';
import { EXPORTS, type ExportFormat } from './exports/exports';
import type { DetectionsFile } from '../cli/config';
import type { FileOptions } from '../cli/file-settings';
import type { FoundFile } from './find-files';
import type { Manifest } from './manifest';
import {
  type Format,
  type ResultFormat,
  isVideoFormat,
  BAG_FORMATS,
  FORMATS,
  hasExtensionOf,
  isBagFormat,
  IMAGE_SOURCE_FORMATS,
  VIDEO_FORMATS,
} from '#shared/catalogue/formats';
import { DEFAULT_BAG_OPTIONS, type BagOptions } from '#shared/domain/bag';
import type { Limits } from '#shared/domain/limits';
import type { MaskKind } from '#shared/ports/engine';
import type { Inspector } from '#shared/ports/host-engine';
import type { Submission } from '#shared/tasks/accept/accept-upload';
import { diskSource } from '../adapters/disk-file';
import { copyFile, open, realpath, symlink } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { previewMark } from '#shared/api/http/filename';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';
import type { ReceivedFile } from '#shared/ports/storage';
import { createFolder, pathOfKey, type StorageFolders } from '../adapters/storage';

/** Paths of the results of one image or video, below the output folder. */
export interface OutputNames {
  /** Null with the method `detect`. */
  readonly anonymised: string | null;
  readonly masks: Readonly<Partial<Record<MaskKind, string>>>;
  readonly metadata: string | null;
  /** Null if no reports are written. */
  readonly report: ReportNames | null;
  /** Null if no logs are written. */
  readonly log: LogNames | null;
  readonly exports: Readonly<Partial<Record<ExportFormat, string>>>;
}

/** Paths of the reports of one image or video. */
interface ReportNames {
  readonly json: string;
  /** For printing. */
  readonly page: string;
}

/** Paths of the log of one image or video. */
interface LogNames {
  readonly json: string;
  readonly csv: string;
}

/** The results to write for each file; videos have no masks, and some exports have no form for them. */
export interface WantedResults {
  readonly anonymised: boolean;
  readonly masks: readonly MaskKind[];
  readonly metadata: boolean;
  readonly report: boolean;
  readonly log: boolean;
  readonly exports: readonly ExportFormat[];
}

export const MASK_SUFFIXES = {
  binary: '_bin_mask.png',
  instance: '_ins_mask.png',
} as const satisfies Record<MaskKind, string>;

export const isNamedLikeVideo = (name: string): boolean => hasExtensionOf(VIDEO_FORMATS, name);

/** Whether a name has an extension of a supported image format, of a video or of a bag. */
export const isNamedLikeMedia = (name: string): boolean =>
  hasExtensionOf([...IMAGE_SOURCE_FORMATS, ...BAG_FORMATS], name) || isNamedLikeVideo(name);

/** `a` → `a-report.json`, with the same names as downloads of the API. */
const reportNames = (stem: string): ReportNames => ({
  json: `${stem}-report.json`,
  page: `${stem}-report.html`,
});

const logNames = (stem: string): LogNames => ({
  json: `${stem}-redactions.json`,
  csv: `${stem}-redactions.csv`,
});

const withoutExtension = (name: string): string => name.replace(/(?<=[^/])\.[^./]*$/, '');

const withMark = (name: string, mark: string): string => {
  const stem = withoutExtension(name);
  return stem + mark + name.slice(stem.length);
};

/**
 * A result has the name of its source; if its format is another one, its extension is appended. With a suffix, it is
 * put before the extension: `a_anonymised.jpg` of `a.heic`.
 */
const anonymisedName = (name: string, result: ResultFormat, suffix: string): string => {
  const extension = `.${FORMATS[result].extensions[0]}`;
  if (hasExtensionOf([result], name)) return withMark(name, suffix);
  return suffix === '' ? name + extension : withoutExtension(name) + suffix + extension;
};

/** Names of results that are images, with the suffix of their source. */
const MASK_ENDING = new RegExp(`(${Object.values(MASK_SUFFIXES).join('|')})$`);

/** Whether a file is named like a result with this suffix: it is no source. */
export const hasSuffix = (name: string, suffix: string): boolean =>
  suffix !== '' && withoutExtension(name.replace(MASK_ENDING, '.png')).endsWith(suffix);

const namesFrom = (stem: string, anonymised: string, wanted: WantedResults): OutputNames => ({
  anonymised: wanted.anonymised ? anonymised : null,
  masks: Object.fromEntries(wanted.masks.map((kind) => [kind, stem + MASK_SUFFIXES[kind]])),
  metadata: wanted.metadata ? `${stem}.json` : null,
  report: wanted.report ? reportNames(stem) : null,
  log: wanted.log ? logNames(stem) : null,
  exports: Object.fromEntries(wanted.exports.map((format) => [format, stem + EXPORTS[format].ending])),
});

export const allNames = ({ anonymised, masks, metadata, report, log, exports }: OutputNames): string[] =>
  [
    ...[anonymised, ...Object.values(masks), metadata],
    ...[report, log, exports].flatMap((names): string[] => Object.values(names ?? {})),
  ].filter((name) => name !== null);

/** What is added to the names of sources in those of results. */
export interface NameMarks {
  /** Behind the name; may be empty. */
  readonly suffix: string;
  /** Seconds of each video that its result has; absent: all. */
  readonly preview?: number | undefined;
}

/** Gives the results of each image and video unique names. */
export interface Namer {
  /**
   * @param path of the source, which may be named again when it has changed
   * @returns undefined if another file of this run has one of the names
   */
  name(name: string, result: ResultFormat, path?: string): OutputNames | undefined;
}

/**
 * Names results `a.jpg`, `a_bin_mask.png`, `a_ins_mask.png` and `a.json`; of videos `a.mp4` and `a.json`. Reports of
 * both are named `a-report.json` and `a-report.html`.
 *
 * If there are `a.jpg` and `a.png`, the results of the later one are named `a.png_bin_mask.png` and so on. The result
 * of a video in another container is named `a.mov.mp4`, that of a HEIC image `a.heic.jpg`.
 * With a suffix, `a.heic` gives `a_anonymised.jpg`; the first seconds of `a.mov` give `a-preview-3s.mov.mp4`.
 */
export const createNamer = (
  wanted: WantedResults,
  { suffix, preview }: NameMarks = { suffix: '' },
): Namer => {
  /** Paths of sources by the names of their results. */
  const taken = new Map<string, string | undefined>();
  return {
    name: (source, result, path) => {
      const isTaken = (each: string): boolean =>
        taken.has(each) && (path === undefined || taken.get(each) !== path);
      const name = result === 'mp4' ? withMark(source, previewMark(preview)) : source;
      const anonymised = anonymisedName(name, result, suffix);
      const exports = wanted.exports.filter((format) => EXPORTS[format].hasVideos);
      const ofKind = FORMATS[result].kind === 'image' ? wanted : { ...wanted, masks: [], exports };
      const candidates = [withoutExtension(name), name].map((stem) =>
        namesFrom(stem + suffix, anonymised, ofKind),
      );
      const free = candidates.find((names) => !allNames(names).some(isTaken));
      if (free) for (const each of allNames(free)) taken.set(each, path);
      return free;
    },
  };
};

/** The first bytes of a file, as many as decide its format. */
export const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Links to the source. Windows allows links only to some users: the file is copied there. */
const link = async (source: string, place: string): Promise<void> => {
  try {
    await symlink(source, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    await copyFile(source, place);
  }
};

/** A file of this machine in the place of an upload. Its task reads it where it is, so that no copy is left behind. */
export const linkedSource = (path: string, sizeBytes: number, folders: StorageFolders): ReceivedFile => ({
  sizeBytes,
  head: () => readHead(path),
  source: diskSource(path, sizeBytes),
  digest: () => Promise.reject(new Error('Only uploads with a key have a digest.')),
  moveTo: async (key) => {
    const place = pathOfKey(folders, key);
    await createFolder(dirname(place));
    await link(await realpath(path), place);
  },
  discard: async () => undefined,
});

export type MediaKind = 'image' | 'video';

/** An image, a video or a bag that is to be processed. */
export interface MediaFile extends FoundFile {
  readonly kind: MediaKind;
  readonly format: Format;
  /** Of an image, where it was read to plan the results. */
  readonly header?: ImageHeader | undefined;
  readonly sizeBytes: number;
  /** Where its results are written. */
  readonly folder: string;
  /** The results in that folder. */
  readonly manifest: Manifest;
  readonly outputs: OutputNames;
  /** How it is processed. */
  readonly how: FileOptions;
  /** Path, state and options as hashes: see `Entry`. */
  readonly from: string;
  readonly source: string;
  readonly options: string;
}

/** What the tasks of files take of their host. */
export interface LinkingParts {
  readonly engine: Pick<Inspector, 'inspectImage'>;
  readonly limits: Limits;
  readonly folders: StorageFolders;
  /** What is hidden, without a search. */
  readonly given?: DetectionsFile | undefined;
  /** What becomes of the parts of a bag. */
  readonly bag?: BagOptions;
}

/**
 * A file in the place of an upload. The header of an image is read now, unless planning has read it.
 *
 * @throws UnreadableFile
 */
export const linkedUpload = async (
  {
    path,
    name,
    sizeBytes,
    format,
    header,
  }: Pick<MediaFile, 'path' | 'name' | 'sizeBytes' | 'format' | 'header'>,
  { engine, limits, folders, given, bag = DEFAULT_BAG_OPTIONS }: LinkingParts,
  wanted: Pick<Submission, 'options' | 'video'>,
): Promise<Submission> => {
  const file = linkedSource(path, sizeBytes, folders);
  const upload = {
    ...{ ...wanted, file, filename: posix.basename(name), webhook: null, isAwaited: false },
    ...(given && {
      given: { file: linkedSource(given.path, given.facts.sizeBytes, folders), facts: given.facts },
    }),
  };
  if (isVideoFormat(format)) return { ...upload, format };
  if (isBagFormat(format)) return { ...upload, format, video: { ...wanted.video, bag } };
  const read = header ?? (await engine.inspectImage(diskSource(path, sizeBytes), limits));
  return { ...upload, format: read.format, header: read };
};
