import { intersectionArea } from '../domain/boxes';
import type { PlannedRegion } from '../domain/plan';
import type { EngineMethods } from '../ports/engine';
import type { VideoFrame } from '../ports/video';
import type { VideoPorts } from './anonymise-video';
import type { LoadedModel } from './inference/sessions';
import { createPyramid } from './pixels/pyramid';
import { chooseTracks, type ComparedFrame } from './subjects/choose-tracks';
import { isComparable, similarityTo } from './subjects/compare-faces';
import { embedFace, openRecogniser } from './subjects/embed-face';
import { COMPARE_EVERY_US, showThreshold } from './subjects/subject-limits';
import { readPlans } from './video/stored-plans';
import { retryReads } from './video/video-source';

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
