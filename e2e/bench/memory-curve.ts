/** Resident MiB up to this frame. */
export interface MemoryPoint {
  readonly frame: number;
  readonly residentMiB: number;
}

export interface MemoryCurve {
  readonly frames: number;
  readonly wallMs: number;
  readonly points: readonly MemoryPoint[];
}

/** Number of printed points. Memory is sampled more often, so that a short peak is included. */
const POINTS = 12;

/** Records memory while frames are processed. @param residentMiB returns the current memory of the process */
export const createMemoryCurve = (residentMiB: () => number) => {
  const points: MemoryPoint[] = [];
  let highest = 0;
  return {
    points,
    onFrame: (framesDone: number, framesTotal: number): void => {
      highest = Math.max(highest, residentMiB());
      if (framesDone < ((points.length + 1) * framesTotal) / POINTS) return;
      points.push({ frame: framesDone, residentMiB: highest });
      highest = 0;
    },
  };
};
