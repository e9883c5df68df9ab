/** Counts missing frames, by the gaps in the timestamps. */
export interface FrameGaps {
  /** @param timestampUs of each frame, in the order of presentation */
  add(timestampUs: number): void;
  missing(): number;
  /** Whether the frame rate is constant, so that gaps can be recognised. */
  areCountable(): boolean;
}

/** Unit in which intervals are compared: timestamps of many formats are whole milliseconds. */
const STEP_US = 1000;
/** Minimum share of equal intervals in a video with a constant frame rate. */
const EVEN_SHARE = 0.8;
/** Maximum number of different intervals: with more, the frame rate is not constant. */
const MAX_INTERVALS = 1000;
/** Intervals longer than this multiple of the usual one are gaps. */
const GAP = 1.5;

/**
 * Finds gaps in a video with a constant frame rate.
 *
 * In some formats a damaged file does not state its number of frames, but lost frames leave gaps. In a video with a
 * variable frame rate gaps cannot be distinguished from pauses.
 */
export const createFrameGaps = (): FrameGaps => {
  /** Number of occurrences of each interval, in steps. */
  const intervals = new Map<number, number>();
  let last: number | undefined;
  let count = 0;
  const measure = (): { readonly isEven: boolean; readonly missing: number } => {
    const [usual] = [...intervals].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
    // At 30 frames per second intervals are 33 or 34 ms.
    const isUsual = (steps: number): boolean => Math.abs(steps - usual) <= 1;
    let [even, missing] = [0, 0];
    for (const [steps, times] of intervals) {
      if (isUsual(steps)) even += times;
      else if (steps > usual * GAP) missing += times * (Math.round(steps / usual) - 1);
    }
    const isEven = usual > 0 && even >= count * EVEN_SHARE;
    return { isEven, missing: isEven ? missing : 0 };
  };
  return {
    add: (timestampUs) => {
      if (last !== undefined && intervals.size < MAX_INTERVALS) {
        const steps = Math.round((timestampUs - last) / STEP_US);
        intervals.set(steps, (intervals.get(steps) ?? 0) + 1);
        count++;
      }
      last = timestampUs;
    },
    missing: () => measure().missing,
    areCountable: () => measure().isEven,
  };
};
