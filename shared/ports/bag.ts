import type { BagContents, BagFacts, BagOptions } from '../domain/bag';
import type { ImageCodec } from './codec';
import type { ByteSource, ByteTarget, VideoFrame, VideoLimits } from './video';

/** One frame of a topic, while the copy is written. */
export interface BagFrame {
  /** Of `BagFacts.topics`, from 0. */
  readonly topic: number;
  /** Its number in `frames` of that topic. */
  readonly index: number;
  /** When it was recorded, in microseconds from the first message of the bag. */
  readonly recordedUs: number;
  /** The pixels, which are written when `hide` has resolved. */
  readonly raster: VideoFrame['raster'];
}

/** An opened bag: its whole content was read once, so that nothing in it is a surprise. */
export interface BagReader {
  readonly facts: BagFacts;
  /** The frames of a topic in the order of their stamps. They belong to the caller. */
  frames(topic: number, signal: AbortSignal): AsyncIterable<VideoFrame>;
  /**
   * Writes a copy, in the order of the bag.
   *
   * @param target undefined: nothing is written, and frames are only shown
   * @param hide changes the pixels of each frame in place; it is called for one frame after another
   */
  copy(
    target: ByteTarget | undefined,
    hide: (frame: BagFrame) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
  close(): void;
}

export interface BagRequest {
  readonly options: BagOptions;
  readonly limits: VideoLimits;
  /** Reads and writes image files in messages. */
  readonly codec: ImageCodec;
}

/** Reads and writes bags: files with the messages of many topics. */
export interface BagCodec {
  /** @throws UnreadableFile, also where a topic with images can neither be read nor was named */
  open(source: ByteSource, request: BagRequest, signal: AbortSignal): Promise<BagReader>;
  /**
   * Reads the whole bag and says what is in it, so that a person can choose.
   *
   * @throws UnreadableFile; not where a topic cannot be read
   */
  list(source: ByteSource, request: BagRequest, signal: AbortSignal): Promise<BagContents>;
}
