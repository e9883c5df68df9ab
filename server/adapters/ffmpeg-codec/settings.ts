import type { FfmpegVersion } from '#shared/engine/video/ffmpeg-arguments';

/** The ffmpeg program that decodes and encodes, and its settings. */
export interface CoderSettings {
  /** Absolute path of the program. */
  readonly path: string;
  readonly version: FfmpegVersion;
  /** Threads of one decoder or encoder. */
  readonly threads: number;
  /** Whether ffmpeg has a coder, by ffmpeg's names. */
  readonly can: {
    readonly decode: (decoder: string) => boolean;
    readonly encode: (encoder: string) => boolean;
  };
  /** Running processes, which are killed when the video is closed or aborted. */
  readonly running: Set<{ kill(): void }>;
  /** Called if ffmpeg could not be started, which is not a defect of the video. */
  readonly onFault: (fault: Error) => void;
}

/** State of a decoder or encoder, as in WebCodecs. */
export type CoderState = 'unconfigured' | 'configured' | 'closed';
