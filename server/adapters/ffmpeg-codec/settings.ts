import type { FfmpegVersion } from '#shared/engine/video/ffmpeg-arguments';

/** The ffmpeg that decodes and encodes, and how it is run. */
export interface CoderSettings {
  /** Absolute. */
  readonly path: string;
  readonly version: FfmpegVersion;
  /** Of one decoder or encoder. */
  readonly threads: number;
  /** What ffmpeg has, by its own names. */
  readonly can: {
    readonly decode: (decoder: string) => boolean;
    readonly encode: (encoder: string) => boolean;
  };
  /** Those that run; whoever gives a video up kills them. */
  readonly running: Set<{ kill(): void }>;
  /** Called where ffmpeg could not be started: that is no fault of the video's. */
  readonly onFault: (fault: Error) => void;
}

/** Of WebCodecs' decoders and encoders. */
export type CoderState = 'unconfigured' | 'configured' | 'closed';
