/** Resident MiB up to so many frames. */
export interface MemoryPoint {
  readonly frame: number;
  readonly residentMiB: number;
}

export interface MemoryCurve {
  readonly frames: number;
  readonly wallMs: number;
  readonly points: readonly MemoryPoint[];
}

/** Looked at often, so that a short rise is not missed; told at this many points. */
const POINTS = 12;

/** Draws the curve while frames come. @param residentMiB what the process holds now */
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
