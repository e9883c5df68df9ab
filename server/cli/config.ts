import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { LIMITS, type Limits } from '#shared/domain/limits';
import type { UploadQuery } from '#shared/api/contract/schemas-upload';
import { OBJECT_CLASSES } from '#shared/domain/object-class';
import type { ImageOptions } from '#shared/domain/options';
import type { VideoJob } from '#shared/ports/engine';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import type { AddressRange } from '../adapters/address-guard';
import type { FfmpegChoice } from '../adapters/find-ffmpeg';
import type { LogOptions } from '../adapters/log';

/** What the server and batch mode have in common. */
export interface EngineConfig extends Pick<ServiceSettings, 'classes' | 'saveMask' | 'limits'>, LogOptions {
  readonly workers: number;
  /** Camera and GPS fields stay in results. */
  readonly keepMetadata: boolean;
  /** Undefined: no limit. */
  readonly taskTimeoutMs: number | undefined;
  readonly ffmpeg: FfmpegChoice;
  /** Where packs of models are installed; undefined: beside the models. */
  readonly packsFolder: string | undefined;
}

/** What the server was started with. */
export interface Config extends EngineConfig, Pick<ServiceSettings, 'tiling' | 'hold' | 'syncWhenBusy'> {
  readonly host: string;
  readonly port: number;
  readonly inputFolder: string;
  readonly outputFolder: string;
  /** Put before `/v1/…` in links; undefined: the address that is listened on. */
  readonly apiEndpoint: string | undefined;
  /** Tasks waiting or in work; undefined: no limit. */
  readonly maxQueue: number | undefined;
  /** A secret that every request must bring; undefined: none need to. */
  readonly token: string | undefined;
  /** Other machines are let in without a token. */
  readonly insecure: boolean;
  /** Further names that the server answers to, as `URL` writes host names. */
  readonly allowHosts: readonly string[];
  /** Other web sites that may use the API, as browsers send `Origin`. */
  readonly allowOrigins: readonly string[];
  /** File names, ids and clients' names may stand in the log. */
  readonly logNames: boolean;
  /** How long tasks in work may take to end when the server is told to stop. */
  readonly shutdownGraceMs: number;
  /** Ended tasks are deleted after so long; undefined: never. */
  readonly retentionMs: number | undefined;
  /** Signs notifications; undefined: they are not signed. */
  readonly webhookKey: Uint8Array | undefined;
  /** Closed addresses that notifications may go to all the same. */
  readonly webhookAllow: readonly AddressRange[];
}

/** What batch mode was started with. */
export interface BatchConfig extends EngineConfig {
  /** Files and folders, as typed. */
  readonly inputs: readonly string[];
  readonly outputFolder: string;
  readonly options: ImageOptions;
  readonly video: Pick<VideoJob, 'tracking' | 'detectEvery' | 'keepBitRate'>;
  readonly saveMetadata: boolean;
  /** Say what happens as JSON lines instead of to people. */
  readonly json: boolean;
}

/** All that flags, environment and configuration file can say, for either mode. */
export interface Settings extends Omit<Config, 'outputFolder'> {
  readonly outputFolder: string | undefined;
  readonly upload: Partial<UploadQuery>;
  readonly saveMetadata: boolean;
  readonly json: boolean;
}

/** What one of them says. */
export interface Change extends Partial<Omit<Settings, 'limits' | 'upload'>> {
  readonly limits?: Partial<Limits>;
  readonly upload?: Partial<UploadQuery>;
}

/**
 * Pictures worked on at once.
 *
 * Two cores to a picture: inference uses both, while decoding, redaction and encoding keep to one; so one picture
 * alone is answered soon, and no thread is wasted where many wait.
 */
const defaultWorkers = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

export const threadsPerWorker = (workers: number): number =>
  Math.max(1, Math.floor(availableParallelism() / workers));

/** Beside where the server was started, not among the system's temporary files: those go at a reboot. */
const dataFolder = join(process.cwd(), '.veil');

export const defaultSettings = (): Settings => ({
  host: '127.0.0.1',
  port: 7000,
  inputFolder: join(dataFolder, 'input'),
  outputFolder: undefined,
  apiEndpoint: undefined,
  classes: OBJECT_CLASSES,
  tiling: { kind: 'whole' },
  saveMask: 'none',
  hold: 'all',
  syncWhenBusy: 'refuse',
  workers: defaultWorkers(),
  keepMetadata: false,
  limits: LIMITS,
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
  webhookKey: undefined,
  webhookAllow: [],
  upload: {},
  saveMetadata: false,
  json: false,
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
