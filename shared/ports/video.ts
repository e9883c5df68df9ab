import type { Raster } from '../domain/raster';
import type { VideoFormat } from '../domain/video-format';

/** A file's bytes, wherever it lies; videos are never held whole in memory. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** @param end exclusive, at most `sizeBytes`. @returns exactly the bytes asked for */
  read(start: number, end: number): Promise<Uint8Array>;
  /** The file itself, as the host's own programs take it; opaque to all others. It crosses worker borders. */
  readonly handle?: unknown;
}

/** A file that is being written; muxers come back to the beginning to say how long it became. */
export interface ByteTarget {
  /** @param position in bytes; what lies between the file's end and it is zeros */
  write(position: number, bytes: Uint8Array): Promise<void>;
}

export interface VideoLimits {
  /** Width times height of a frame. */
  readonly maxVideoPixels: number;
  readonly maxVideoTracks: number;
  readonly maxVideoFrames: number;
  /** Of a video that was converted, in bytes. */
  readonly maxConvertedBytes: number;
}

/** One decoded picture of a video. */
export interface VideoFrame {
  /** From 0, in the order of presentation. */
  readonly index: number;
  /** May be a fraction: time bases seldom divide a microsecond. */
  readonly timestampUs: number;
  readonly durationUs: number;
  /** Upright. */
  readonly raster: Raster;
}

export interface VideoWriterOptions {
  /** As many bits a second as the source's video has; else, a constant quality. */
  readonly keepBitRate: boolean;
  /** The source's, in bits per second, where the reader's is not it: the video was converted. */
  readonly sourceBitRate?: number;
  /** For the audio tracks that the reader drops, in their order: those of an MP4 file. */
  readonly audioInstead?: ByteSource;
}

/** Writes an MP4 file: redacted frames, and the source's audio, as it is wherever MP4 can hold it. */
export interface VideoWriter {
  /** Resolves when the next frame may come. The pixels are copied. @throws where the frame cannot be encoded */
  add(frame: VideoFrame): Promise<void>;
  /** Completes the file. */
  finish(): Promise<void>;
  /** Gives up; what was written is of no use. */
  cancel(): Promise<void>;
}

/** An opened video. */
export interface VideoReader {
  /** Of the upright frames, in px. */
  readonly width: number;
  readonly height: number;
  /** How many frames the file says it has. */
  readonly frameCount: number;
  /** Mean time from a frame to the next. */
  readonly frameDurationUs: number;
  /** Of the video alone, in bits per second. */
  readonly bitRate: number;
  /** Audio tracks that the result has bit for bit. */
  readonly copiedAudioTracks: number;
  /** Audio tracks that an MP4 file cannot hold as they are: the result has them encoded again. */
  readonly reencodedAudioTracks: number;
  /** Audio tracks that cannot be read to be encoded again either, as the file counts its own, from 0: the result is without them. */
  readonly droppedAudioTracks: readonly number[];
  /**
   * All frames in the order of presentation; each is given up by the reader.
   *
   * @throws UnreadableFile where the file ends too early or nothing can be decoded
   */
  frames(signal: AbortSignal): AsyncIterable<VideoFrame>;
  /**
   * Takes back a frame that nothing looks at any more: its pixels are gone, and their memory holds frames to come.
   * Optional for either side: what is not released is left to the garbage collector.
   */
  release?(frame: VideoFrame): void;
  /** Frames that could not be decoded so far, and are left out of the result. */
  lostFrames(): number;
  createWriter(target: ByteTarget, options: VideoWriterOptions): Promise<VideoWriter>;
  close(): void;
  /** Of a video that was converted, or its audio, when it is closed: removes the temporary files. */
  discard?(): Promise<void>;
}

/** Reads and writes videos. */
export interface VideoCodec {
  /**
   * @param signal ends an opening that takes long
   * @param onConverting called where the video is converted first, with how much of that is done, 0..1
   * @throws UnreadableFile
   */
  open(
    source: ByteSource,
    limits: VideoLimits,
    signal?: AbortSignal,
    onConverting?: (share: number) => void,
  ): Promise<VideoReader>;
}

/** A video in a form that the codec reads. */
export interface ConvertedVideo {
  readonly source: ByteSource;
  /** Its audio was encoded again; else it is bit for bit that of the video. */
  readonly isAudioReencoded: boolean;
  /** Of the video's packets before, without the audio's; undefined: not known. */
  readonly videoBytes: number | undefined;
  /** Something in it could not be read: frames may be missing. */
  readonly isDamaged: boolean;
  /** Frames that could not be decoded. */
  readonly undecodedFrames: number;
  /** Removes it. */
  discard(): Promise<void>;
}

/** Some of a video's audio tracks, in an MP4 file of their own. */
export interface ConvertedAudio {
  readonly source: ByteSource;
  /** Removes it. */
  discard(): Promise<void>;
}

export interface AudioRequest {
  /** As the content says. */
  readonly format: VideoFormat;
  /** As the file counts its own, from 0. */
  readonly tracks: readonly number[];
  /** Their times are the file's; else, those of the converted video. */
  readonly keepsTimes: boolean;
}

/** Makes of a video that the codec cannot read one that it can, nearly without loss, each frame at its time. */
export interface VideoConverter {
  /**
   * @param format as the content says
   * @param onProgress with how much is done, 0..1, as far as that is known
   * @throws UnreadableFile where it cannot be converted, too
   */
  convert(
    source: ByteSource,
    format: VideoFormat,
    limits: VideoLimits,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<ConvertedVideo>;
  /**
   * Encodes audio that the codec cannot read as AAC.
   *
   * @param onProgress with how much is done, 0..1, as far as that is known
   * @returns undefined where that cannot be done
   */
  convertAudio(
    source: ByteSource,
    request: AudioRequest,
    limits: VideoLimits,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<ConvertedAudio | undefined>;
}
