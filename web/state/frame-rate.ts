/** Progress of a video. */
export interface FrameProgress {
  readonly done: number;
  /** From the file; null until it is opened. */
  readonly total: number | null;
  /** Of the last seconds; null until there is enough data. */
  readonly perSecond: number | null;
  /** Of the conversion before the first frame, and of the frames from then on. */
  readonly secondsLeft: number | null;
  /** Converted share of the video, 0..1; null if no conversion is needed or processing has begun. */
  readonly converted: number | null;
}

/** Long enough to average groups of frames, short enough to follow changes. */
const WINDOW_MS = 15_000;
const MIN_MS = 1_000;

export type FrameRate = ReturnType<typeof createFrameRate>;

/** Seconds that a conversion still takes. @param converted the share that is done, 0..1 */
const createConversionTime = (): ((converted: number | null, nowMs: number) => number | null) => {
  let first: { readonly converted: number; readonly atMs: number } | undefined;
  return (converted, nowMs) => {
    // Before the first share, the converter is loaded.
    if (!converted) return null;
    first ??= { converted, atMs: nowMs };
    const elapsedMs = nowMs - first.atMs;
    if (elapsedMs < MIN_MS || converted <= first.converted) return null;
    return (((1 - converted) / (converted - first.converted)) * elapsedMs) / 1000;
  };
};

/** Measures the frame rate from the number of processed frames over time. */
export const createFrameRate = (): ((
  done: number,
  total: number | null,
  nowMs: number,
  converted?: number | null,
) => FrameProgress) => {
  const conversionTime = createConversionTime();
  let samples: { readonly done: number; readonly atMs: number }[] = [];
  return (done, total, nowMs, converted = null) => {
    // Time before the first frame is ignored: models were loaded and first frames analysed.
    if (done > 0) samples.push({ done, atMs: nowMs });
    samples = samples.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS);
    const [first] = samples;
    const elapsedMs = first ? nowMs - first.atMs : 0;
    const frames = first ? done - first.done : 0;
    const perSecond = elapsedMs >= MIN_MS && frames > 0 ? (frames * 1000) / elapsedMs : null;
    if (done === 0) {
      return { done, total, perSecond, secondsLeft: conversionTime(converted, nowMs), converted };
    }
    const secondsLeft = perSecond !== null && total !== null ? Math.max(0, total - done) / perSecond : null;
    return { done, total, perSecond, secondsLeft, converted: null };
  };
};
