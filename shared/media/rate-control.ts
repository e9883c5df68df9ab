import { clamp } from '../domain/clamp';

/** Bytes of the source's frames over time. */
export interface Budget {
  readonly frameCount: number;
  /** Mean duration of a frame. */
  readonly frameSeconds: number;
  /** Start of the last frame, in seconds. */
  readonly endSeconds: number;
  readonly totalBytes: number;
  /** @returns a function: bytes of all frames that begin before a time. Its calls must have increasing times */
  bytesUntil(): (seconds: number) => number;
}

/** Decides how many bits the next seconds get, so that the total equals the source's. */
export interface RateControl {
  /** Size and duration of a short video, which is encoded as a whole; undefined: the video is encoded in parts. */
  readonly whole: { readonly bytes: number; readonly seconds: number } | undefined;
  /** Whether the frame at this time begins a part. Each part begins with a key frame and has a bit rate of its own. */
  beginsPart(seconds: number): boolean;
  /** @param seconds start of a part. @returns bits per second to request from its encoder */
  nextPart(seconds: number): number;
  /** Takes the size of an encoded frame. */
  encoded(bytes: number): void;
}

const BITS = 8;
/** Videos up to this duration are encoded as a whole. */
const WHOLE_SECONDS = 3;
/** Duration of a part. Short parts correct the rate sooner, but each one costs a key frame. */
const PART_SECONDS = { max: 2, min: 0.5 } as const;
const PARTS_OF_SHORT = 4;
/** Weight of the last part in the estimate of the encoder's excess; all earlier parts share the rest. */
const LEARNING_RATE = 0.5;
/** Bounds of a part's bytes, relative to the source's bytes in the same part, so that corrections stay invisible. */
const BOUNDS = { min: 0.5, max: 2 } as const;
/** Minimum rate that encoders accept, in bits per second. */
export const MIN_BIT_RATE = 10_000;

/**
 * Follows the source's own bytes over time.
 *
 * An encoder alone misses the requested rate by up to a quarter, mostly in short videos. Here each part compensates for
 * the error of the parts before it, and the request is divided by the encoder's usual excess.
 */
export const createRateControl = (budget: Budget): RateControl => {
  const endSeconds = budget.endSeconds + budget.frameSeconds;
  const allSeconds = budget.frameCount * budget.frameSeconds;
  const startSeconds = endSeconds - allSeconds;
  const wantedSeconds = clamp(allSeconds / PARTS_OF_SHORT, PART_SECONDS.min, PART_SECONDS.max);
  const partSeconds = allSeconds / Math.max(1, Math.round(allSeconds / wantedSeconds));
  const partOf = (seconds: number): number =>
    Math.floor((seconds - startSeconds + budget.frameSeconds / 2) / partSeconds);
  const bytesUntil = budget.bytesUntil();
  let part: number | undefined;
  let dueBefore = 0;
  let spentBytes = 0;
  let partBytes = 0;
  let requestedBytes = 0;
  /** Estimated ratio of encoded to requested bytes. */
  let excess = 1;
  const updateExcess = (): void => {
    if (requestedBytes > 0) excess += LEARNING_RATE * (partBytes / requestedBytes - excess);
    excess = clamp(excess, BOUNDS.min, BOUNDS.max);
    partBytes = 0;
  };
  return {
    whole: allSeconds <= WHOLE_SECONDS ? { bytes: budget.totalBytes, seconds: allSeconds } : undefined,
    beginsPart: (seconds) => part === undefined || partOf(seconds) > part,
    nextPart: (seconds) => {
      updateExcess();
      part = partOf(seconds);
      const next = startSeconds + (part + 1) * partSeconds;
      const isLast = next > budget.endSeconds;
      const length = Math.max((isLast ? endSeconds : next) - seconds, budget.frameSeconds);
      const due = isLast ? budget.totalBytes : bytesUntil(next - budget.frameSeconds / 2);
      const sourceBytes = Math.max(1, due - dueBefore);
      dueBefore = due;
      const wantedBytes = (due - spentBytes) / excess;
      requestedBytes = clamp(wantedBytes, BOUNDS.min * sourceBytes, BOUNDS.max * sourceBytes);
      return Math.round(Math.max(MIN_BIT_RATE, (requestedBytes * BITS) / length));
    },
    encoded: (bytes) => {
      spentBytes += bytes;
      partBytes += bytes;
    },
  };
};
