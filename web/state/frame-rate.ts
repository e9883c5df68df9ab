/** Progress of a video. */
export interface FrameProgress {
  readonly done: number;
  /** From the file; null until it is opened. */
  readonly total: number | null;
  /** Of the last seconds; null until there is enough data. */
  readonly perSecond: number | null;
  readonly secondsLeft: number | null;
  /** Converted share of the video, 0..1; null if no conversion is needed or processing has begun. */
  readonly converted: number | null;
}

/** Long enough to average groups of frames, short enough to follow changes. */
const WINDOW_MS = 15_000;
const MIN_MS = 1_000;

export type FrameRate = ReturnType<typeof createFrameRate>;

/** Measures the frame rate from the number of processed frames over time. */
export const createFrameRate = (): ((
  done: number,
  total: number | null,
  nowMs: number,
  converted?: number | null,
) => FrameProgress) => {
  let samples: { readonly done: number; readonly atMs: number }[] = [];
  return (done, total, nowMs, converted = null) => {
    // Time before the first frame is ignored: models were loaded and first frames analysed.
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
