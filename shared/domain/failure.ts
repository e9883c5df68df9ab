/** Why a task failed: decides how a synchronous or repeated upload is answered. */
export type FailureKind =
  /** The file is damaged, or of a kind that is not processed. */
  | 'bad-file'
  /** The file needs more memory than the host can use. */
  | 'out-of-memory'
  /** Processing exceeded the time limit. */
  | 'timeout'
  /** The host went down each time it processed the file. */
  | 'interrupted'
  /** The person to keep visible was deleted. */
  | 'subject-gone'
  /** The disk takes no result. */
  | 'no-storage'
  /** An error of the product: its cause is in the log. */
  | 'fault';

/** Why a task failed, as data: it passes worker borders and is stored in the task's record. */
export interface Failure {
  readonly kind: FailureKind;
  /** Public: one sentence for the user, without a path or a cause. */
  readonly sentence: string;
}

/** An error that carries its failure as data. All other errors are faults. */
export class FailureError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.sentence, options);
    this.name = 'FailureError';
  }
}

export const FAULT: Failure = {
  kind: 'fault',
  sentence: 'Something went wrong inside the service while it processed the file.',
};

/**
 * The failure that an error stands for.
 *
 * `UnreadableFile` is also recognised by its name: in the page, an error that crosses the border of a worker keeps its
 * name and message but not its class.
 */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof FailureError) return error.failure;
  return error instanceof Error && error.name === 'UnreadableFile'
    ? { kind: 'bad-file', sentence: error.message }
    : FAULT;
};

/**
 * A user's file that cannot be processed.
 *
 * Contains one sentence for the user and no cause: a defective file is no fault of the product, so nothing is logged.
 */
export class UnreadableFile extends FailureError {
  constructor(sentence: string, kind: Extract<FailureKind, 'bad-file' | 'out-of-memory'> = 'bad-file') {
    super({ kind, sentence });
    this.name = 'UnreadableFile';
  }

  get publicSentence(): string {
    return this.failure.sentence;
  }
}

/** An intact video with a coding that the host cannot decode: it may be readable after a conversion. */
export class UnsupportedCoding extends UnreadableFile {
  /**
   * @param coding the demuxer's name of the codec
   * @param isHdr whether the file states high dynamic range
   * @param startS when its first track starts, in seconds
   */
  constructor(
    coding: string,
    readonly isHdr = false,
    readonly startS = 0,
  ) {
    super(`The video's coding (${coding}) is not supported here; it may be where ffmpeg is installed.`);
  }
}

/** For image decoders, which find damage in the compressed data. */
export const damagedImage = (): UnreadableFile =>
  new UnreadableFile('The image is damaged: its pixel data cannot be decoded.');

export const corruptHeader = (format: string): UnreadableFile =>
  new UnreadableFile(`The ${format} file is damaged: its header is corrupt.`);

export const truncatedFile = (format: string): UnreadableFile =>
  new UnreadableFile(`The ${format} file is truncated: it ends before the image does.`);

/** @param name with its article: `an animated GIF` */
export const animatedFile = (name: string, frames?: number): UnreadableFile => {
  const counted = frames === undefined ? '' : ` with ${frames} frames`;
  return new UnreadableFile(`This is ${name}${counted}; only still images are supported.`);
};

/** For files whose structures are too many to be read; see `structure-limits.ts`. */
export const tooManyParts = (format: string): UnreadableFile =>
  new UnreadableFile(`The ${format} file claims more parts than an image has.`);

/** For damage that appears only when a video's frames are decoded. */
export const damagedVideo = (): UnreadableFile =>
  new UnreadableFile('The video is damaged: its frames cannot be decoded.');

export const corruptStructure = (): UnreadableFile =>
  new UnreadableFile('The video is damaged: its structure is corrupt.');

export const truncatedVideo = (): UnreadableFile =>
  new UnreadableFile('The video is truncated: the file ends too early.');

export const changedColours = (): UnreadableFile =>
  new UnreadableFile(
    'The video states different dynamic ranges (transfers) or colours for its frames, which is not supported; convert all of it to the same first.',
  );

export const indexTooLarge = (): UnreadableFile =>
  new UnreadableFile('The video claims an index that is too large.');
