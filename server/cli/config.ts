import type { KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { LIMITS, type Limits } from '#shared/domain/limits';
import type { Edits } from '#shared/api/contract/schemas-edits';
import type { UploadQuery } from '#shared/api/contract/schemas-upload';
import { DEFAULT_CLASSES } from '#shared/domain/object-class';
import type { ImageOptions } from '#shared/domain/options';
import type { VideoJob } from '#shared/ports/engine';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import type { AddressRange } from '../adapters/address-guard';
import type { FfmpegChoice } from '../adapters/find-ffmpeg';
import type { LogOptions } from '../adapters/log';
import { WORK_KINDS } from '../cluster/work-queue';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../http/connection-limits';
import type { ClusterConfig, WorkChoice } from './cluster-services';

/** Settings of both the server and batch mode. */
export interface EngineConfig extends Pick<ServiceSettings, 'classes' | 'saveMask' | 'limits'>, LogOptions {
  readonly workers: number;
  /** Whether results keep camera and GPS fields. */
  readonly keepMetadata: boolean;
  /** Undefined: no limit. */
  readonly taskTimeoutMs: number | undefined;
  readonly ffmpeg: FfmpegChoice;
  /** Folder of installed packs; undefined: next to the models. */
  readonly packsFolder: string | undefined;
  /** Key that signs reports; undefined: they are not signed. */
  readonly reportKey: KeyObject | undefined;
}

/** Settings of the server. */
export interface Config
  extends EngineConfig, ConnectionLimits, Pick<ServiceSettings, 'tiling' | 'hold' | 'syncWhenBusy'> {
  readonly host: string;
  readonly port: number;
  readonly inputFolder: string;
  readonly outputFolder: string;
  /** Base of links, before `/v1/…`; undefined: the server's own address. */
  readonly apiEndpoint: string | undefined;
  /** Maximum number of queued and running tasks; undefined: no limit. */
  readonly maxQueue: number | undefined;
  /** Token that every request must send; undefined: none is required. */
  readonly token: string | undefined;
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
  /** Key that signs notifications; undefined: they are not signed. */
  readonly webhookKey: Uint8Array | undefined;
  /** Whether requests may create and name persons who stay visible. */
  readonly subjects: boolean;
  /** Private addresses to which notifications may be sent. */
  readonly webhookAllow: readonly AddressRange[];
}

/** Edits of a result, in the form of the API. */
export interface EditsFile {
  /** As typed. */
  readonly path: string;
  readonly body: Edits;
}

/** Settings of batch mode. */
export interface BatchConfig extends EngineConfig {
  /** Files and folders, as typed. */
  readonly inputs: readonly string[];
  readonly outputFolder: string;
  readonly options: ImageOptions;
  readonly video: Pick<VideoJob, 'tracking' | 'detectEvery' | 'keepBitRate' | 'mutesAudio'>;
  /** The query of an upload with the same options. */
  readonly request: string;
  readonly saveMetadata: boolean;
  readonly saveReport: boolean;
  /** Edits of the only input; undefined: none. */
  readonly edits: EditsFile | undefined;
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
  readonly saveMetadata: boolean;
  readonly saveReport: boolean;
  readonly editsFile: string | undefined;
  readonly json: boolean;
}

/** The change that one setting makes. */
export interface Change extends Partial<Omit<Settings, 'limits' | 'upload'>> {
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

/** In the working directory, because a reboot empties the system's temporary folder. */
const dataFolder = join(process.cwd(), '.veil');

export const defaultSettings = (): Settings => ({
  host: '127.0.0.1',
  port: 7000,
  inputFolder: join(dataFolder, 'input'),
  outputFolder: undefined,
  apiEndpoint: undefined,
  classes: DEFAULT_CLASSES,
  tiling: { kind: 'whole' },
  saveMask: 'none',
  hold: 'all',
  syncWhenBusy: 'refuse',
  workers: defaultWorkers(),
  keepMetadata: false,
  limits: LIMITS,
  ...CONNECTION_LIMITS,
  maxQueue: undefined,
  taskTimeoutMs: undefined,
  ffmpeg: undefined,
  packsFolder: undefined,
  logLevel: 'info',
  logFormat: undefined,
  token: undefined,
  insecure: false,
  allowHosts: [],
  allowOrigins: [],
  logNames: false,
  shutdownGraceMs: 5_000,
  retentionMs: undefined,
  subjects: true,
  webhookKey: undefined,
  webhookAllow: [],
  reportKey: undefined,
  upload: {},
  saveMetadata: false,
  saveReport: false,
  editsFile: undefined,
  json: false,
  take: WORK_KINDS,
  device: 'cpu',
  dividesVideos: false,
});

export const withChange = (settings: Settings, change: Change): Settings => ({
  ...settings,
  ...change,
  limits: { ...settings.limits, ...change.limits },
  upload: { ...settings.upload, ...change.upload },
});

export const serverConfig = (settings: Settings): Config => ({
  ...settings,
  outputFolder: settings.outputFolder ?? join(dataFolder, 'output'),
});
