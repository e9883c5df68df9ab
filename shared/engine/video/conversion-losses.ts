import type { StatedLength } from '../formats/stated-length';
import type { VideoFormat } from '../../catalogue/formats';
import { US_PER_SECOND } from '../../domain/plan';
import type { ConversionFacts, VideoFrame } from '../../ports/video';

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
export const createFrameGaps = () => {
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
    /** @param timestampUs of each frame, in the order of presentation */
    add: (timestampUs: number): void => {
      if (last !== undefined && intervals.size < MAX_INTERVALS) {
        const steps = Math.round((timestampUs - last) / STEP_US);
        intervals.set(steps, (intervals.get(steps) ?? 0) + 1);
        count++;
      }
      last = timestampUs;
    },
    missing: () => measure().missing,
    /** Whether the frame rate is constant, so that gaps can be recognised. */
    areCountable: () => measure().isEven,
  };
};

/** Formats whose header states a duration. ffmpeg estimates that of others from the end of the file. */
const STATES_DURATION: ReadonlySet<VideoFormat> = new Set(['mp4', 'mov', 'webm', 'matroska', 'flv']);
/** A truncated file of these formats causes no message of ffmpeg if it ends between two packets. */
const ENDS_SILENTLY: ReadonlySet<VideoFormat> = new Set(['flv']);
/** Such a file is truncated if all its tracks end by this time before the stated end, in seconds. */
const MIN_SILENT_LOSS_S = 0.5;
/** Tracks end within this share of a frame of the stated end. */
const END_TOLERANCE = 0.75;
/** Durations are rounded, so this share of a missing frame counts as a frame. */
const MIN_FRAME_SHARE = 0.8;

/** When the frames were shown. */
const createSpan = () => {
  let [count, firstUs, lastUs, endUs] = [0, 0, 0, 0];
  return {
    add: ({ timestampUs, durationUs }: Pick<VideoFrame, 'timestampUs' | 'durationUs'>): void => {
      if (count++ === 0) firstUs = timestampUs;
      lastUs = timestampUs;
      endUs = timestampUs + durationUs;
    },
    count: () => count,
    endS: () => endUs / US_PER_SECOND,
    /** Mean interval of the frames; that of a single frame is its duration. @param missing frames between them */
    intervalS: (missing: number) =>
      (count > 1 ? (lastUs - firstUs) / (count - 1 + missing) : endUs - lastUs) / US_PER_SECOND,
  };
};

/**
 * Counts the frames of the source that are missing in its converted copy.
 *
 * Frames lost in the middle leave gaps in a constant frame rate. Frames lost at the end are counted by the number of
 * frames in the header or, as an estimate, by its duration. The duration is that of the longest track, so frames are
 * missing at the end only if all tracks end too early.
 */
export const createConversionLosses = (
  facts: ConversionFacts,
  format: VideoFormat,
  stated: StatedLength | undefined,
) => {
  const gaps = createFrameGaps();
  const span = createSpan();
  const durationS = stated?.durationS ?? (STATES_DURATION.has(format) ? facts.durationS : undefined);
  /** Seconds between the end of all tracks and the stated end; undefined if unknown. */
  const missingS = (): number | undefined =>
    durationS === undefined ? undefined : durationS - Math.max(span.endS(), facts.endS);
  const isDamaged = (): boolean =>
    facts.isDamaged ||
    stated?.isCutOff === true ||
    (ENDS_SILENTLY.has(format) && (missingS() ?? 0) >= MIN_SILENT_LOSS_S);
  const lostAtEnd = (): number => {
    const intervalS = span.intervalS(gaps.missing());
    if (durationS === undefined || intervalS <= 0 || (missingS() ?? 0) <= intervalS * END_TOLERANCE) return 0;
    return Math.floor((durationS - span.endS()) / intervalS + 1 - MIN_FRAME_SHARE);
  };
  return {
    /** Takes each frame of the converted video, in order. */
    add: (frame: Pick<VideoFrame, 'timestampUs' | 'durationUs'>): void => {
      gaps.add(frame.timestampUs);
      span.add(frame);
    },
    /** @param lostByReader frames that the reader of the converted video lost in addition */
    lost: (lostByReader: number): number => {
      if (!isDamaged()) return 0;
      const missing = stated?.frames === undefined ? 0 : stated.frames - span.count() - lostByReader;
      // Undecodable frames also leave gaps, so the maximum of the counts applies, not the sum.
      return Math.max(facts.undecodedFrames, gaps.missing() + lostAtEnd(), missing);
    },
    /** Whether the number is an estimate, or more frames than counted may be missing. */
    isUncertain: (): boolean => {
      if (!isDamaged() || stated?.frames !== undefined) return false;
      return !gaps.areCountable() || durationS === undefined || lostAtEnd() > 0;
    },
  };
};
