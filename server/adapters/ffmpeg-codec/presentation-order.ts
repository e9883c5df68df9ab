/** Decoders hold no more pictures back to bring them into order (H.264, HEVC: 16). */
const MAX_REORDERED = 17;

interface Timed {
  readonly timestampUs: number;
}

/** Checks that each packet became a picture. */
export interface PresentationOrder<Picture extends Timed> {
  given(timestampUs: number): void;
  /** @returns pictures that may be handed on */
  decoded(picture: Picture): readonly Picture[];
  /** When all is decoded. */
  end(): readonly Picture[];
  /** A packet became no picture: what comes after it would be taken for it. */
  hasLoss(): boolean;
}

/** @returns where the first lies that is not smaller */
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
 * Holds pictures back behind one that is missing, until it is there or cannot come any more.
 *
 * A missing frame is the only sign that ffmpeg rejected a packet. It may also come late: of files whose times
 * are wrong, where decoders reorder what those do not.
 */
export const createPresentationOrder = <Picture extends Timed>(): PresentationOrder<Picture> => {
  const expected: number[] = [];
  let held: Picture[] = [];
  let hasLoss = false;
  const isMissingBefore = ({ timestampUs }: Timed): boolean =>
    expected.length > 0 && (expected[0] as number) < timestampUs;
  return {
    given: (timestampUs) => void expected.splice(positionOf(expected, timestampUs), 0, timestampUs),
    decoded: (picture) => {
      const at = positionOf(expected, picture.timestampUs);
      if (expected[at] === picture.timestampUs) expected.splice(at, 1);
      held.push(picture);
      if (held.some(isMissingBefore)) {
        hasLoss = held.length > MAX_REORDERED;
        return [];
      }
      const free = held;
      held = [];
      return free;
    },
    end: () => {
      hasLoss = expected.length > 0;
      // In front of the gap nothing is held.
      const free = hasLoss ? [] : held;
      held = [];
      return free;
    },
    hasLoss: () => hasLoss,
  };
};
