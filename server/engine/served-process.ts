import type { ServedEngine } from '#shared/engine/worker/serve-engine';
import type {
  Engine,
  ImageJob,
  ImageMethodName,
  ImageRenderJob,
  ImageResult,
  Inspector,
  VideoSupport,
} from '#shared/ports/engine';
import type { Ffmpeg } from '../adapters/find-ffmpeg';
import type { LogOptions } from '../adapters/log';

/** What an engine process is started with. It contains no secret. */
export interface EngineProcessOptions {
  readonly modelsFolder: string;
  /** Where packs of models are installed. */
  readonly packsFolder: string;
  /** Execution provider of onnxruntime. */
  readonly device: string;
  /** Module whose default export is a `ServeLease`. */
  readonly workerFile: string;
  /** Images and videos that are processed at the same time. */
  readonly workers: number;
  /** Cores that one image may use. */
  readonly threads: number;
  /** Whether threads start only when they are needed. */
  readonly startsLate: boolean;
  readonly ffmpeg: Ffmpeg | undefined;
  /** How long a step of aborted work may go on, in ms; by default 10 s. Then the process ends. */
  readonly abortLimitMs?: number;
  readonly log: LogOptions;
}

/** Where the bytes of a file are, as the host offers it. */
export interface OfferedSource {
  readonly sizeBytes: number;
  /** A path on this machine, if there is one: see `DiskFile`. The engine process opens it itself. */
  readonly handle?: unknown;
  /** For files without a path. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Takes an encoded result in pieces. */
export interface OfferedSink {
  /** @param name of the file in the result @param position in bytes; pieces come in order */
  write(name: string, position: number, bytes: Uint8Array): Promise<void>;
}

/** Names of the files in a result. */
export const RENDERED = 'rendered';
export const ANONYMISED = 'anonymised';

/** A result without its files, which were written before. */
export type SentImageResult = Omit<ImageResult, 'anonymised' | 'masks'>;

type WithoutImage<Job> = Omit<Job, 'bytes'>;
type AfterImage<Name extends ImageMethodName> =
  Parameters<Engine[Name]> extends [unknown, ...infer Rest] ? Rest : never;
type OfSource<Name extends ImageMethodName> = (
  source: OfferedSource,
  ...rest: AfterImage<Name>
) => ReturnType<Engine[Name]>;

type VideoMethods = Pick<ServedEngine, 'anonymiseVideo' | 'surveyVideo' | 'renderVideo' | 'matchTracks'>;

/** The methods that an engine process serves. Files come as paths, and encoded results go back in pieces. */
export interface ServedProcess extends VideoMethods, Pick<ServedEngine, 'load'> {
  /** The first call. @returns which videos can be read */
  start(options: EngineProcessOptions): Promise<VideoSupport>;
  /** Answers as long as the process is alive. */
  ping(): Promise<void>;
  /** Stops running work and ends the threads. */
  close(): Promise<void>;
  inspectImage(
    source: OfferedSource,
    limits: Parameters<Inspector['inspectImage']>[1],
  ): ReturnType<Inspector['inspectImage']>;
  inspectVideo(
    source: OfferedSource,
    format: Parameters<Inspector['inspectVideo']>[1],
  ): ReturnType<Inspector['inspectVideo']>;
  anonymiseImage(
    job: WithoutImage<ImageJob>,
    files: OfferedSource & OfferedSink,
    ...rest: AfterImage<'anonymiseImage'>
  ): Promise<SentImageResult>;
  outlineObjects: OfSource<'outlineObjects'>;
  embedSample: OfSource<'embedSample'>;
  matchFaces: OfSource<'matchFaces'>;
  renderImage(
    job: WithoutImage<ImageRenderJob>,
    files: OfferedSource & OfferedSink,
    signal: AbortSignal,
  ): Promise<void>;
  renderMask(
    plan: Parameters<Engine['renderMask']>[0],
    kind: Parameters<Engine['renderMask']>[1],
    scalePercent: number,
    sink: OfferedSink,
    signal: AbortSignal,
  ): Promise<void>;
}
