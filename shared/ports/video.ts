import type { Limits } from '../domain/limits';
import type { HdrTransfer } from '../domain/hdr';
import type { FoundInVideo } from '../domain/image-header';
import type { KeptInVideo } from '../domain/kept-in-video';
import type { LumaRaster, Raster, Size } from '../domain/raster';
import type { VideoFormat } from '../catalogue/formats';
import type { TimeRange } from '../domain/plan';

/** Random access to a file's bytes, because videos are never held in memory as a whole. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** @param end exclusive, at most `sizeBytes`. @returns exactly the requested bytes */
  read(start: number, end: number): Promise<Uint8Array>;
  /** The host's own reference to the file, opaque to all other code. It can be sent to workers. */
  readonly handle?: unknown;
}

/** A file that is being written. Positions may go back: muxers write sizes into the beginning at the end. */
export interface ByteTarget {
  /** @param position in bytes; a gap after the file's end is filled with zeros */
  write(position: number, bytes: Uint8Array): Promise<void>;
}

export type VideoLimits = Pick<
  Limits,
  'maxVideoPixels' | 'maxVideoTotalPixels' | 'maxVideoTracks' | 'maxVideoFrames' | 'maxConvertedBytes'
>;

/** One decoded frame of a video. */
export interface VideoFrame {
  /** From 0, in the order of presentation. */
  readonly index: number;
  /** May be a fraction: few time bases are whole microseconds. */
  readonly timestampUs: number;
  readonly durationUs: number;
  /** The upright pixels. */
  readonly raster: Raster;
}

/** A part whose sound is removed. */
export interface MutedTimeRange extends TimeRange {
  /** What is heard instead; absent: silence. */
  readonly as?: 'bleep';
}

export interface VideoWriterOptions {
  /** Whether the result has the bit rate of the source's video; otherwise it has a constant quality. */
  readonly keepBitRate: boolean;
  /** Bit rate of the source's video, in bits per second, if the reader reads a converted copy. */
  readonly sourceBitRate?: number;
  /** Writes no audio track. */
  readonly mutesAudio?: boolean;
  /** Sorted and disjoint. Codecs with overlapping packets are silent for some packets more. */
  readonly mutedRanges?: readonly MutedTimeRange[];
  /** Where the audio ends, to a packet; absent: with the source. */
  readonly untilUs?: number;
  /** What stays of the source's metadata; absent: nothing. */
  readonly kept?: KeptInVideo;
  /** Says in the result that it is an equirectangular panorama. */
  readonly isSphere?: boolean;
  /** An MP4 file with replacements for the audio tracks that the reader drops, in their order. */
  readonly audioInstead?: ByteSource;
}

/** Writes an MP4 file with redacted frames and the source's audio, which is copied wherever MP4 can hold it. */
export interface VideoWriter {
  /** Codecs of the audio tracks that it encodes; absent: none. */
  readonly encodedAudio?: readonly string[];
  /** Resolves when the next frame can be added. The pixels are copied. @throws where the frame cannot be encoded */
  add(frame: VideoFrame): Promise<void>;
  /** Completes the file. */
  finish(): Promise<void>;
  /** Ends writing; the file is not usable. */
  cancel(): Promise<void>;
}

/** Takes the pixels of frames that are held back until later ones are searched. */
export interface FrameHolding {
  /** Takes the pixels of a frame, whose raster is empty then; does nothing with frames of others. */
  park(frame: VideoFrame): void;
  /** The pixels of any frame; those of a parked one are valid until the next call, and only for reading. */
  pixelsOf(frame: VideoFrame): Raster | LumaRaster;
}

/** Frames without pixels, for large ones that are held back: their planes need less than half of the memory. */
export interface FrameParking extends FrameHolding {
  pixelsOf(frame: VideoFrame): Raster;
  /** Gives a frame its pixels again, the same, for good: to be called before they are changed. */
  unpark(frame: VideoFrame): void;
}

/** An opened video. */
export interface VideoReader {
  /** Width of the upright frames, in px. */
  readonly width: number;
  readonly height: number;
  /** Number of frames according to the file. */
  readonly frameCount: number;
  /** Mean duration of a frame. */
  readonly frameDurationUs: number;
  /** End of the last frame; the first one begins at 0 or later. */
  readonly endUs: number;
  /** Bit rate of the video track, in bits per second. */
  readonly bitRate: number;
  /** Number of audio tracks that are copied bit for bit. */
  readonly copiedAudioTracks: number;
  /** Number of audio tracks that are encoded again, because MP4 cannot hold their codec. */
  readonly reencodedAudioTracks: number;
  /** Indices, from 0, of the audio tracks that are left out: MP4 cannot hold them, and the host cannot convert them. */
  readonly droppedAudioTracks: readonly number[];
  /** Codec of each of them, as printable ASCII; absent if there are none. */
  readonly droppedAudioCodecs?: readonly string[];
  /** What the file contains next to video and sound; absent where it is not known. */
  readonly found?: FoundInVideo;
  /** Codecs of audio tracks of which this host cannot mute parts; absent if there are none. */
  readonly unmutableAudio?: readonly string[];
  /** Codecs of those in which it puts no bleep; absent if there are none. */
  readonly unbleepableAudio?: readonly string[];
  /**
   * All frames in the order of presentation. They belong to the caller.
   *
   * @param range only frames with timestamps from `fromUs` up to, not including, `untilUs`, and the key frame before
   *   them, are decoded. Their indices count from 0; there may be none. Lost frames are not counted. Readers of
   *   converted videos ignore it
   * @throws UnreadableFile where the file ends too early or nothing can be decoded
   */
  frames(signal: AbortSignal, range?: TimeRange): AsyncIterable<VideoFrame>;
  /**
   * Takes back a frame that is not needed any more: its pixels are removed, and their memory is used for later frames.
   * Optional for both sides: the garbage collector frees other frames.
   */
  release?(frame: VideoFrame): void;
  /** Absent where frames cannot be parked. */
  readonly parking?: FrameParking;
  /** Number of frames so far that could not be decoded and are missing in the result. */
  lostFrames(): number;
  /**
   * Whether `lostFrames` is an estimate or too low, because a damaged file does not state its number of frames. Absent
   * if the number is always exact.
   */
  isLossUncertain?(): boolean;
  /** Transfer of the source if its frames were mapped from high dynamic range to standard range; known after the first. */
  toneMapped?(): HdrTransfer | undefined;
  createWriter(target: ByteTarget, options: VideoWriterOptions): Promise<VideoWriter>;
  close(): void;
  /** Removes temporary files of a converted video or of converted audio, when the reader is closed. */
  discard?(): Promise<void>;
}

/** Reads and writes videos. */
export interface VideoCodec {
  /**
   * @param signal aborts opening, which takes long where the video is converted
   * @param onConverting receives the progress of the conversion, 0..1, where the video is converted first
   * @throws UnreadableFile
   */
  open(
    source: ByteSource,
    limits: VideoLimits,
    signal?: AbortSignal,
    onConverting?: (share: number) => void,
  ): Promise<VideoReader>;
  /**
   * Opens a video of which nothing is written, and converts nothing; absent where `open` never converts.
   *
   * @throws UnreadableFile; `UnsupportedCoding` if the video would have to be converted
   */
  openDirectly?(source: ByteSource, limits: VideoLimits, signal: AbortSignal): Promise<VideoReader>;
}

/** Facts about a video that become known while it is converted. */
export interface ConversionFacts {
  /** Size of the original video packets, without audio; undefined if unknown. */
  readonly videoBytes: number | undefined;
  /** Whether parts of the original could not be read, so that frames may be missing. */
  readonly isDamaged: boolean;
  /** Number of frames that could not be decoded. */
  readonly undecodedFrames: number;
  /** Duration of the longest track, in seconds: as stated in the file, or estimated; undefined if unknown. */
  readonly durationS: number | undefined;
  /** End of the longest converted track, in seconds. */
  readonly endS: number;
  /** Size of the upright frames without the converter's padding; undefined if unknown. */
  readonly size: Size | undefined;
  /** Codecs of the audio tracks that are left out because nothing decodes them, as printable ASCII. */
  readonly unreadableAudio: readonly string[];
}

/** A converted copy of a video, in a format that the codec reads. */
export interface ConvertedVideo extends ConversionFacts {
  readonly source: ByteSource;
  /** Whether the audio was encoded again; otherwise it was copied bit for bit. */
  readonly isAudioReencoded: boolean;
  /** Removes the copy. */
  discard(): Promise<void>;
}

/** Converted audio tracks of a video, in a separate MP4 file. */
export interface ConvertedAudio {
  readonly source: ByteSource;
  /** Removes the file. */
  discard(): Promise<void>;
}

export interface ConversionRequest extends FileRequest {
  /** Whether the copy keeps 10 bits: high dynamic range has steps with 8. */
  readonly isHdr: boolean;
}

interface FileRequest {
  /** The container of the source, recognised by its content. */
  readonly format: VideoFormat;
  readonly limits: VideoLimits;
  /** Whether timestamps stay those of the source; otherwise the first one becomes 0. */
  readonly keepsTimes: boolean;
}

export interface AudioRequest extends FileRequest {
  /** Indices of the audio tracks to convert, from 0. */
  readonly tracks: readonly number[];
}

/** Converts videos that the codec cannot read, nearly lossless and with unchanged frame times. */
export interface VideoConverter {
  /**
   * @param onProgress receives the progress, 0..1, as far as it is known
   * @throws UnreadableFile where the video cannot be converted
   */
  convert(
    source: ByteSource,
    request: ConversionRequest,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<ConvertedVideo>;
  /**
   * Converts audio tracks that the codec cannot read to AAC.
   *
   * @param onProgress receives the progress, 0..1, as far as it is known
   * @returns undefined where they cannot be converted
   */
  convertAudio(
    source: ByteSource,
    request: AudioRequest,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<ConvertedAudio | undefined>;
}
