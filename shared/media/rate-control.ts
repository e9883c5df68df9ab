import { clamp } from '../domain/clamp';

/** How many bytes a source has for its frames, over its time. */
export interface Budget {
  readonly frameCount: number;
  /** Mean time from a frame to the next. */
  readonly frameSeconds: number;
  /** When the last frame begins. */
  readonly endSeconds: number;
  readonly totalBytes: number;
  /** @returns bytes of all frames that begin before a time; to be asked for times that only grow */
  bytesUntil(): (seconds: number) => number;
}

/** Decides how many bits the next seconds get, so that the total equals the source's. */
export interface RateControl {
  /** Of a short video, which is encoded as one: its bytes and seconds. Longer ones have parts. */
  readonly whole: { readonly bytes: number; readonly seconds: number } | undefined;
  /** Whether a frame begins a part, from a key frame to the next, whose bits are measured. */
  beginsPart(seconds: number): boolean;
  /** @param seconds where a part begins. @returns bits per second for an encoder that begins again */
  nextPart(seconds: number): number;
  /** Takes the size of an encoded frame. */
  encoded(bytes: number): void;
}

const BITS = 8;
/** So short videos are held as a whole, and have no parts. */
const WHOLE_SECONDS = 3;
/** A key frame costs: short videos alone are corrected more often. */
const PART_SECONDS = { longest: 2, shortest: 0.5 } as const;
const PARTS_OF_SHORT = 4;
/** What the last part says of an encoder's habits, against all before. */
const LEARNING_RATE = 0.5;
/** No part is asked for more or less than these times what the source has there: a correction is not to be seen. */
const BOUNDS = { min: 0.5, max: 2 } as const;
/** Encoders refuse less, in bits per second. */
const MIN_BIT_RATE = 10_000;

/**
 * Follows the source's own bytes over time.
 *
 * An encoder alone misses the requested rate by up to a quarter, most in short videos. Here each part compensates for
 * those before, and the request is lowered by the encoder's usual excess.
 */
export const createRateControl = (budget: Budget): RateControl => {
  const endSeconds = budget.endSeconds + budget.frameSeconds;
  const allSeconds = budget.frameCount * budget.frameSeconds;
  const startSeconds = endSeconds - allSeconds;
  const wish = clamp(allSeconds / PARTS_OF_SHORT, PART_SECONDS.shortest, PART_SECONDS.longest);
  const partSeconds = allSeconds / Math.max(1, Math.round(allSeconds / wish));
  const partOf = (seconds: number): number =>
    Math.floor((seconds - startSeconds + budget.frameSeconds / 2) / partSeconds);
  const bytesUntil = budget.bytesUntil();
  let part: number | undefined;
  let dueBefore = 0;
  let spentBytes = 0;
  let partBytes = 0;
  let askedBytes = 0;
  /** What the encoder gives for a bit that it is asked for. */
  let habit = 1;
  const learn = (): void => {
    if (askedBytes > 0) habit += LEARNING_RATE * (partBytes / askedBytes - habit);
    habit = clamp(habit, BOUNDS.min, BOUNDS.max);
    partBytes = 0;
  };
  return {
    whole: allSeconds <= WHOLE_SECONDS ? { bytes: budget.totalBytes, seconds: allSeconds } : undefined,
    beginsPart: (seconds) => part === undefined || partOf(seconds) > part,
    nextPart: (seconds) => {
      learn();
      part = partOf(seconds);
      const next = startSeconds + (part + 1) * partSeconds;
      const isLast = next > budget.endSeconds;
      const length = Math.max((isLast ? endSeconds : next) - seconds, budget.frameSeconds);
      const due = isLast ? budget.totalBytes : bytesUntil(next - budget.frameSeconds / 2);
      const own = Math.max(1, due - dueBefore);
      dueBefore = due;
      askedBytes = clamp((due - spentBytes) / habit, BOUNDS.min * own, BOUNDS.max * own);
      return Math.round(Math.max(MIN_BIT_RATE, (askedBytes * BITS) / length));
    },
    encoded: (bytes) => {
      spentBytes += bytes;
      partBytes += bytes;
    },
  };
};
