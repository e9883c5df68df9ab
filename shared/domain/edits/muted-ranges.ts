/** A part of a video without sound: its start and its end, in seconds. */
export type MutedRange = readonly [start: number, end: number];

/** The same parts, sorted, and joined where they touch or overlap. */
export const joinMuted = (ranges: readonly MutedRange[]): MutedRange[] => {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
};
