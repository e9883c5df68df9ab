/** Counts the frames that are missing between others. */
export interface FrameGaps {
  /** @param timestampUs of each frame, in the order of presentation */
  add(timestampUs: number): void;
  missing(): number;
}

/** Timestamps of many formats count milliseconds. */
const STEP_US = 1000;
/** Of the times from a frame to the next: with so many the same, a video is of an even pace. */
const EVEN_SHARE = 0.8;
/** More of them, and there is no pace. */
const MAX_INTERVALS = 1000;
/** Of the usual time to the next frame: what is longer is a gap. */
const GAP = 1.5;

/**
 * Finds gaps in a video of an even pace.
 *
 * In some formats a damaged file does not state its number of frames: lost ones leave a gap. In a video without an even
 * pace gaps cannot be distinguished from pauses.
 */
export const createFrameGaps = (): FrameGaps => {
  /** How often a frame came so many steps after the one before. */
  const intervals = new Map<number, number>();
  let last: number | undefined;
  let count = 0;
  return {
    add: (timestampUs) => {
      if (last !== undefined && intervals.size < MAX_INTERVALS) {
        const steps = Math.round((timestampUs - last) / STEP_US);
        intervals.set(steps, (intervals.get(steps) ?? 0) + 1);
        count++;
      }
      last = timestampUs;
    },
    missing: () => {
      const [usual = 0] = [...intervals].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
      // 30 frames a second are 33 and 34 ms by turns.
      const isUsual = (steps: number): boolean => Math.abs(steps - usual) <= 1;
      let [even, missing] = [0, 0];
      for (const [steps, times] of intervals) {
        if (isUsual(steps)) even += times;
        else if (steps > usual * GAP) missing += times * (Math.round(steps / usual) - 1);
      }
      return usual > 0 && even >= count * EVEN_SHARE ? missing : 0;
    },
  };
};
