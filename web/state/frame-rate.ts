/** How far a video is. */
export interface FrameProgress {
  readonly done: number;
  /** As the file says; null until it has been opened. */
  readonly total: number | null;
  /** Of the last seconds; null until there are enough of them. */
  readonly perSecond: number | null;
  readonly secondsLeft: number | null;
  /** How much of the video is converted, 0..1; null where it need not be, or where its frames have begun. */
  readonly converted: number | null;
}

/** Long enough to even out that frames come in groups, short enough to follow a change. */
const WINDOW_MS = 15_000;
const MIN_MS = 1_000;

/** Measures the speed of frames from how many are done at which time. */
export const createFrameRate = (): ((
  done: number,
  total: number | null,
  nowMs: number,
  converted?: number | null,
) => FrameProgress) => {
  let samples: { readonly done: number; readonly atMs: number }[] = [];
  return (done, total, nowMs, converted = null) => {
    // What came before the first frame was no work on frames: models were loaded, and frames looked at ahead.
    if (done > 0) samples.push({ done, atMs: nowMs });
    samples = samples.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS);
    const [first] = samples;
    const elapsedMs = first ? nowMs - first.atMs : 0;
    const frames = first ? done - first.done : 0;
    const perSecond = elapsedMs >= MIN_MS && frames > 0 ? (frames * 1000) / elapsedMs : null;
    const secondsLeft = perSecond !== null && total !== null ? Math.max(0, total - done) / perSecond : null;
    return { done, total, perSecond, secondsLeft, converted: done > 0 ? null : converted };
  };
};
