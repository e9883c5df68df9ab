import type { ShownTrack } from '../../domain/subject';
import { CONTRADICTION, MAX_GAP_US, MIN_AGREEING_FRAMES, MIN_LEAD } from './subject-limits';

/** A frame in which the face of a track was compared with the subject. */
export interface ComparedFrame {
  readonly timestampUs: number;
  readonly durationUs: number;
  readonly similarity: number;
}

/** The compared frames of one track, in order. */
export interface ComparedTrack {
  readonly trackId: number;
  readonly frames: readonly ComparedFrame[];
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
    : (sorted[Math.floor(middle)] ?? 0);
};

/** The times between neighbouring frames that agree. Before the first and behind the last one nothing was compared. */
const agreedRanges = (frames: readonly ComparedFrame[], threshold: number): ShownTrack['ranges'] => {
  const ranges: { fromUs: number; untilUs: number }[] = [];
  let last: ComparedFrame | undefined;
  for (const frame of frames) {
    const agrees = frame.similarity >= threshold;
    const untilUs = frame.timestampUs + frame.durationUs;
    const open = ranges.at(-1);
    const isJoined = last !== undefined && frame.timestampUs - last.timestampUs <= MAX_GAP_US;
    if (agrees && isJoined && open) ranges[ranges.length - 1] = { ...open, untilUs };
    else if (agrees) ranges.push({ fromUs: frame.timestampUs, untilUs });
    last = agrees ? frame : undefined;
  }
  return ranges;
};

const areAtOnce = (a: ShownTrack, b: ShownTrack): boolean =>
  a.ranges.some((one) => b.ranges.some((other) => one.fromUs < other.untilUs && other.fromUs < one.untilUs));

/** The subject's track, if enough frames agree and none contradicts. */
const shownTrack = ({ trackId, frames }: ComparedTrack, threshold: number): readonly ShownTrack[] => {
  const similarities = frames.map(({ similarity }) => similarity);
  const agreeing = similarities.filter((similarity) => similarity >= threshold);
  const confidence = median(similarities);
  const isContradicted = similarities.some((similarity) => similarity < CONTRADICTION);
  if (agreeing.length < MIN_AGREEING_FRAMES || confidence < threshold || isContradicted) return [];
  return [{ trackId, confidence, ranges: agreedRanges(frames, threshold) }];
};

/**
 * The tracks in which the subject stays visible, and when.
 *
 * A person is in a frame once: of two tracks at the same time, one is shown only if it is clearly more similar.
 *
 * @param threshold `showThreshold` of the subject
 */
export const chooseTracks = (tracks: readonly ComparedTrack[], threshold: number): readonly ShownTrack[] => {
  const similar = tracks.flatMap((track) => shownTrack(track, threshold));
  return similar.filter(
    (track) =>
      !similar.some(
        (other) =>
          other !== track && areAtOnce(track, other) && track.confidence - other.confidence < MIN_LEAD,
      ),
  );
};
