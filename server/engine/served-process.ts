import type { ImageResult, Progress } from '#shared/ports/engine';
import type { Engine, ImageSupport, VideoSupport } from '#shared/ports/host-engine';
import type { Ffmpeg } from '../adapters/find-ffmpeg';
import type { LogOptions } from '../adapters/log';

/** What an engine process is started with. It contains no secret. */
export interface EngineProcessOptions {
  readonly modelsFolder: string;
  /** Where packs of models are installed. */
  readonly packsFolder: string;
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

/** Methods whose encoded results go back in pieces, before the method resolves. */
interface WritingMethods {
  anonymiseImage(
    job: Parameters<Engine['anonymiseImage']>[0],
    sink: OfferedSink,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<SentImageResult>;
  renderImage(
    job: Parameters<Engine['renderImage']>[0],
    sink: OfferedSink,
    signal: AbortSignal,
  ): Promise<void>;
  renderMask(sink: OfferedSink, ...args: Parameters<Engine['renderMask']>): Promise<void>;
}

/** The methods that an engine process serves: those of an engine, which opens files on disk itself. */
export interface ServedProcess
  extends
    WritingMethods,
    Omit<Engine, keyof WritingMethods | keyof VideoSupport | keyof ImageSupport | 'retrying'> {
  /** The first call. @returns which videos can be read */
  start(options: EngineProcessOptions): Promise<VideoSupport>;
  /** Answers as long as the process is alive. */
  ping(): Promise<void>;
  /** Resolves when aborted work does not stop: the process ends then. */
  stuck(): Promise<void>;
  /** Stops running work and ends the threads. */
  close(): Promise<void>;
}
