import type { KeyObject } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_BAG_OPTIONS, type BagOptions } from '#shared/domain/bag';
import { LIMITS, type Limits } from '#shared/domain/limits';
import type { EditsBody } from '#shared/api/contract/schemas-edits';
import type { UploadQuery, VideoOptions } from '#shared/catalogue/derive-parameters';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import type { FileFacts } from '#shared/domain/image-header';
import type { ImageOptions } from '#shared/domain/options';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { WORK_KINDS, type WorkKind } from '#shared/tasks/base/job-store';
import type { ExportFormat } from '../batch/exports/exports';
import type { TokenSettings } from '../adapters/access';
import type { AddressRange } from '../adapters/address-guard';
import type { FfmpegChoice } from '../adapters/find-ffmpeg';
import type { LogOptions } from '../adapters/log';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../http/connection-limits';

/** Addresses of the services that API processes and workers share. They may contain passwords. */
export interface ClusterConfig {
  readonly database: string;
  readonly queue: string;
  readonly files: string;
}

/** Which work a worker takes. */
export interface WorkChoice {
  readonly take: readonly WorkKind[];
  /** Whether long videos are analysed in segments, by all workers that take these. */
  readonly dividesVideos: boolean;
}

/** Settings of both the server and batch mode. */
export interface EngineConfig
  extends Pick<ServiceSettings, 'classes' | 'reasons' | 'saveMask' | 'limits'>, LogOptions {
  readonly workers: number;
  /** Whether results keep some fields of the metadata of their sources. */
  readonly keepMetadata: boolean;
  /** See `ServiceSettings`. */
  readonly taskTimeoutMs: number;
  readonly taskTimeoutMsPerMegapixel: number;
  readonly ffmpeg: FfmpegChoice;
  /** Folder of installed packs; undefined: next to the models. */
  readonly packsFolder: string | undefined;
  /** Key that signs reports; undefined: they are not signed. */
  readonly reportKey: KeyObject | undefined;
}

/** Settings of the server. */
export interface Config
  extends
    EngineConfig,
    ConnectionLimits,
    TokenSettings,
    Pick<ServiceSettings, 'format' | 'hold' | 'syncWhenBusy'> {
  readonly host: string;
  /** See `ServiceSettings`. */
  readonly strictParameters: boolean;
  readonly releaseGate: boolean;
  readonly port: number;
  readonly inputFolder: string;
  readonly outputFolder: string;
  /** Base of links, before `/v1/…`; undefined: the server's own address. */
  readonly apiEndpoint: string | undefined;
  /** Maximum number of queued and running tasks; undefined: no limit. */
  readonly maxQueue: number | undefined;
  /** See `ServiceSettings`. */
  readonly memoryBudgetBytes: number;
  /** Free space that uploads leave on the disks of the data folders. */
  readonly diskReserveBytes: number;
  /** Whether other machines may connect without a token. */
  readonly insecure: boolean;
  /** Additional allowed host names, in the form of `URL`. */
  readonly allowHosts: readonly string[];
  /** Origins of web sites that may use the API, in the form of the header `Origin`. */
  readonly allowOrigins: readonly string[];
  /** Whether the log contains file names, task ids and user agents. */
  readonly logNames: boolean;
  /** How long running tasks may continue after a stop signal. */
  readonly shutdownGraceMs: number;
  /** Ended tasks are deleted after this time; undefined: never. */
  readonly retentionMs: number | undefined;
  /** Whether retention may delete more than a tenth of all tasks at once. */
  readonly confirmsSweeps: boolean;
  /** Key that signs notifications; undefined: they are not signed. */
  readonly webhookKey: Uint8Array | undefined;
  /** Whether requests may create and name persons who stay visible. */
  readonly subjects: boolean;
  /** Whether the start message may mention the recommended models. */
  readonly hintsModels: boolean;
  /** Also answers as the blur service of Panoramax. */
  readonly panoramax: boolean;
  /** Private addresses to which notifications may be sent. */
  readonly webhookAllow: readonly AddressRange[];
}

/** Edits of a result, in the form of the API. */
export interface EditsFile {
  /** As typed. */
  readonly path: string;
  readonly body: EditsBody;
}

/** What others have detected in the inputs. */
export interface DetectionsFile {
  /** As typed. */
  readonly path: string;
  readonly facts: FileFacts;
}

/** Areas of `--hides` by the name of a camera: JSON texts, as the parameter has them. */
export type CameraAreas = ReadonlyMap<string, string>;

/** Settings of batch mode. */
export interface BatchConfig extends EngineConfig, Pick<Settings, 'upload' | 'cameras' | 'format' | 'bag'> {
  /** Files and folders, as typed. */
  readonly inputs: readonly string[];
  /** Undefined: results are next to their sources, with a suffix. */
  readonly outputFolder: string | undefined;
  /** Stands behind the name of the source in the names of its results; may be empty. */
  readonly suffix: string;
  readonly options: ImageOptions;
  readonly video: VideoOptions;
  /** The query of an upload with the same options. */
  readonly request: string;
  readonly saveMetadata: boolean;
  readonly saveReport: boolean;
  readonly saveLog: boolean;
  /** Whether files with uncertain objects are listed, and give the run an exit code of their own. */
  readonly failOnUncertain: boolean;
  /** Whether folders are looked at again until a signal. */
  readonly watch: boolean;
  /** Formats in which the objects of each file are written for other tools. */
  readonly exports: readonly ExportFormat[];
  /** Whether files in folders may set detection settings. */
  readonly folderSettings: boolean;
  /** Edits of the only input; undefined: none. */
  readonly edits: EditsFile | undefined;
  /** What is hidden in the inputs, without a search; undefined: they are searched. */
  readonly given: DetectionsFile | undefined;
  /** Whether events are printed as JSON lines instead of text. */
  readonly json: boolean;
}

/** Settings of a review of results. */
export interface ReviewConfig {
  /** As typed. */
  readonly resultFolder: string;
  /** Files and folders, as typed; none: they are searched near the result folder. */
  readonly sources: readonly string[];
  /** Whether the page is opened in a browser. */
  readonly opensBrowser: boolean;
  readonly settings: Settings;
}

/** All settings that flags, environment and configuration file can contain, for all modes. */
export interface Settings extends Omit<Config, 'outputFolder'>, Partial<ClusterConfig>, WorkChoice {
  readonly outputFolder: string | undefined;
  readonly upload: Partial<UploadQuery>;
  /** Areas that are hidden in the files of some cameras; undefined: the same in all files. */
  readonly cameras: CameraAreas | undefined;
  readonly saveMetadata: boolean;
  readonly saveReport: boolean;
  readonly saveLog: boolean;
  readonly suffix: string;
  readonly failOnUncertain: boolean;
  readonly watch: boolean;
  readonly folderSettings: boolean;
  readonly exports: readonly ExportFormat[];
  readonly editsFile: string | undefined;
  readonly detectionsFile: string | undefined;
  /** What becomes of the parts of bags. */
  readonly bag: BagOptions;
  readonly json: boolean;
}

/** The change that one setting makes. */
export interface Change extends Partial<Omit<Settings, 'limits' | 'upload' | 'bag'>> {
  readonly bag?: Partial<BagOptions>;
  readonly limits?: Partial<Limits>;
  readonly upload?: Partial<UploadQuery>;
}

/**
 * Number of files processed at the same time: one for two cores.
 *
 * Inference uses both cores; decoding, redaction and encoding use one. A single file is fast, and no thread idles when
 * many files wait.
 */
const defaultWorkers = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

export const threadsPerWorker = (workers: number): number =>
  Math.max(1, Math.floor(availableParallelism() / workers));

/**
 * More than ten times what a busy two-core machine needs for all classes: less than 5.4 s for a megapixel, which a
 * search with more passes took. The same for each tile and each frame, however small they are.
 */
const DEFAULT_TASK_TIME = { taskTimeoutMs: 10 * 60_000, taskTimeoutMsPerMegapixel: 60_000 } as const;

/** Asynchronous uploads are always accepted; this keeps the list of tasks, and the start after a crash, bounded. */
export const DEFAULT_MAX_QUEUE = 100_000;

/** Room for records, results and other programs. */
export const DEFAULT_DISK_RESERVE_BYTES = 1024 ** 3;

/** Half of the memory of this machine or container: models, videos and the system need the rest. */
const defaultMemoryBudget = (): number => {
  const constrained = process.constrainedMemory() || Infinity;
  return Math.floor(Math.min(totalmem(), constrained) / 2);
};

/** In the working directory, because a reboot empties the system's temporary folder. */
const dataFolder = join(process.cwd(), '.veil');

export const defaultSettings = (): Settings => ({
  host: '127.0.0.1',
  port: 7000,
  inputFolder: join(dataFolder, 'input'),
  outputFolder: undefined,
  apiEndpoint: undefined,
  classes: DEFAULT_CLASSES,
  format: { kind: 'whole' },
  saveMask: 'none',
  hold: 'all',
  syncWhenBusy: 'refuse',
  panoramax: false,
  strictParameters: false,
  releaseGate: false,
  workers: defaultWorkers(),
  keepMetadata: false,
  limits: LIMITS,
  ...CONNECTION_LIMITS,
  ...DEFAULT_TASK_TIME,
  maxQueue: DEFAULT_MAX_QUEUE,
  memoryBudgetBytes: defaultMemoryBudget(),
  diskReserveBytes: DEFAULT_DISK_RESERVE_BYTES,
  ffmpeg: undefined,
  packsFolder: undefined,
  logLevel: 'info',
  logFormat: undefined,
  token: undefined,
  tokens: [],
  insecure: false,
  allowHosts: [],
  allowOrigins: [],
  logNames: false,
  shutdownGraceMs: 5_000,
  retentionMs: undefined,
  confirmsSweeps: false,
  subjects: true,
  hintsModels: true,
  webhookKey: undefined,
  webhookAllow: [],
  reportKey: undefined,
  upload: {},
  cameras: undefined,
  saveMetadata: false,
  saveReport: false,
  saveLog: false,
  suffix: '',
  failOnUncertain: false,
  watch: false,
  folderSettings: false,
  exports: [],
  editsFile: undefined,
  detectionsFile: undefined,
  bag: DEFAULT_BAG_OPTIONS,
  json: false,
  take: WORK_KINDS,
  dividesVideos: false,
});

export const withChange = (settings: Settings, change: Change): Settings => ({
  ...settings,
  ...change,
  limits: { ...settings.limits, ...change.limits },
  upload: { ...settings.upload, ...change.upload },
  bag: { ...settings.bag, ...change.bag },
});

export const serverConfig = (settings: Settings): Config => ({
  ...settings,
  outputFolder: settings.outputFolder ?? join(dataFolder, 'output'),
});
