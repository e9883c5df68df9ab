import { intersectionArea } from '../domain/boxes';
import type { PlannedRegion } from '../domain/plan';
import type { EngineMethods } from '../ports/engine';
import type { VideoFrame } from '../ports/video';
import type { VideoPorts } from './anonymise-video';
import type { LoadedModel } from './inference/sessions';
import { createPyramid } from './pixels/pyramid';
import { isComparable, similarityTo } from './subjects/compare-faces';
import { embedFace, openRecogniser } from './subjects/embed-face';
import {
  COMPARE_EVERY_US,
  showThreshold,
  CONTRADICTION,
  MAX_GAP_US,
  MIN_AGREEING_FRAMES,
  MIN_LEAD,
} from './subjects/subject-limits';
import { readPlans } from './video/stored-plans';
import { retryReads } from './video/video-source';
import type { ShownTrack } from '../domain/subject';

/** A frame in which the face of a track was compared with the subject. */
export interface ComparedFrame {
  readonly timestampUs: number;
  readonly durationUs: number;
  readonly similarity: number;
}

/** The compared frames of one track, in order. */
interface ComparedTrack {
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

interface TrackedFace {
  readonly trackId: number;
  readonly region: PlannedRegion;
}

/** The tracked faces of a frame that can be compared. A face that overlaps another one may show a part of it. */
const facesIn = (regions: readonly PlannedRegion[]): readonly TrackedFace[] =>
  regions.flatMap((region) => {
    const { trackId, detection } = region;
    const isAlone = regions.every(
      (other) =>
        other === region ||
        other.detection.objectClass !== 'face' ||
        intersectionArea(other.detection.box, detection.box) === 0,
    );
    return trackId !== undefined && isAlone && isComparable(detection) ? [{ trackId, region }] : [];
  });

/** Compares the faces of frames with a subject. */
const createComparison = (samples: Parameters<EngineMethods['matchTracks']>[0]['samples']) => {
  const tracks = new Map<number, ComparedFrame[]>();
  const isDue = (trackId: number, { timestampUs }: VideoFrame): boolean => {
    const last = tracks.get(trackId)?.at(-1);
    return !last || timestampUs - last.timestampUs >= COMPARE_EVERY_US;
  };
  return {
    add: async (
      frame: VideoFrame,
      regions: readonly PlannedRegion[],
      open: () => Promise<LoadedModel>,
    ): Promise<void> => {
      const faces = facesIn(regions).filter(({ trackId }) => isDue(trackId, frame));
      if (faces.length === 0) return;
      const pyramid = createPyramid(frame.raster);
      const { timestampUs, durationUs } = frame;
      for (const { trackId, region } of faces) {
        const embedding = await embedFace(pyramid, region.detection.box, await open());
        if (!embedding) continue;
        const compared = { timestampUs, durationUs, similarity: similarityTo(embedding, samples) };
        tracks.set(trackId, [...(tracks.get(trackId) ?? []), compared]);
      }
    },
    tracks: () => [...tracks].map(([trackId, frames]) => ({ trackId, frames })),
  };
};

/**
 * Decodes a video again, compares the faces of its first run with a subject, and decides in which tracks the subject
 * stays visible. Memory grows with the number of compared frames only.
 *
 * @throws PlansDiffer where a frame has no plan of its own
 */
export const matchTracks = async (
  [{ samples, limits }, files, signal]: Parameters<EngineMethods['matchTracks']>,
  { videoCodec, manifest, sessions }: VideoPorts,
): ReturnType<EngineMethods['matchTracks']> => {
  signal.throwIfAborted();
  const plans = readPlans(files);
  const comparison = createComparison(samples);
  const open = (): Promise<LoadedModel> => openRecogniser(manifest, sessions);
  const reader = await videoCodec.open(retryReads(files.source), limits, signal, () => undefined);
  try {
    for await (const frame of reader.frames(signal)) {
      const { regions } = await plans.of(frame);
      await comparison.add(frame, regions, open);
      reader.release?.(frame);
    }
    await plans.end();
    return chooseTracks(comparison.tracks(), showThreshold(samples.length));
  } finally {
    reader.close();
    await reader.discard?.();
  }
};
