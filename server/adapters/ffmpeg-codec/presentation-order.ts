/** Maximum number of frames that a decoder holds back for reordering (16 in H.264 and HEVC), and one more. */
const MAX_REORDERED = 17;

interface Timed {
  readonly timestampUs: number;
}

/** Checks that each packet became a frame. */
export interface PresentationOrder<Frame extends Timed> {
  /** Registers a packet. */
  given(timestampUs: number): void;
  /** Registers a decoded frame. @returns frames that may be passed on */
  decoded(frame: Frame): readonly Frame[];
  /** Called at the end of decoding. @returns the remaining frames */
  end(): readonly Frame[];
  /** Whether a packet did not become a frame. The frames after it are not passed on. */
  hasLoss(): boolean;
}

/** @returns index of the first element that is not smaller than `value` */
const positionOf = (sorted: readonly number[], value: number): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Holds frames back after a missing one, until it arrives or can no longer arrive.
 *
 * A missing frame is the only sign that ffmpeg rejected a packet. In files with wrong timestamps it may also arrive
 * late, because the decoder reorders frames although their timestamps do not.
 */
export const createPresentationOrder = <Frame extends Timed>(): PresentationOrder<Frame> => {
  const expected: number[] = [];
  let held: Frame[] = [];
  let hasLoss = false;
  const isMissingBefore = ({ timestampUs }: Timed): boolean =>
    expected.length > 0 && (expected[0] as number) < timestampUs;
  return {
    given: (timestampUs) => void expected.splice(positionOf(expected, timestampUs), 0, timestampUs),
    decoded: (frame) => {
      const at = positionOf(expected, frame.timestampUs);
      if (expected[at] === frame.timestampUs) expected.splice(at, 1);
      held.push(frame);
      if (held.some(isMissingBefore)) {
        hasLoss = held.length > MAX_REORDERED;
        return [];
      }
      const ready = held;
      held = [];
      return ready;
    },
    end: () => {
      hasLoss = expected.length > 0;
      // All held frames are after the missing one.
      const ready = hasLoss ? [] : held;
      held = [];
      return ready;
    },
    hasLoss: () => hasLoss,
  };
};
