import { iou } from '../../domain/boxes';
import type { FrameReport, ReportedFrameDetection } from '../../domain/video-report';
import { SAME_OBJECT_IOU } from './segment-limits';

/** The two reports of one frame that both sides have analysed. */
export interface SharedFrame {
  readonly before: FrameReport;
  readonly after: FrameReport;
}

interface Match {
  readonly before: number;
  readonly after: number;
  frames: number;
}

const findSame = (
  { objectClass, box }: ReportedFrameDetection,
  { detections }: FrameReport,
): ReportedFrameDetection | undefined => {
  const [best] = detections
    .filter((one) => one.objectClass === objectClass && one.trackId !== undefined)
    .map((one) => ({ one, overlap: iou(one.box, box) }))
    .filter(({ overlap }) => overlap >= SAME_OBJECT_IOU)
    .sort((a, b) => b.overlap - a.overlap);
  return best?.one;
};

const countMatches = (frames: readonly SharedFrame[]): Match[] => {
  const matches = new Map<string, Match>();
  for (const { before, after } of frames) {
    for (const detection of after.detections) {
      const same = findSame(detection, before);
      if (same?.trackId === undefined || detection.trackId === undefined) continue;
      const key = `${same.trackId} ${detection.trackId}`;
      const match = matches.get(key) ?? { before: same.trackId, after: detection.trackId, frames: 0 };
      match.frames += 1;
      matches.set(key, match);
    }
  }
  return [...matches.values()];
};

/**
 * Finds the tracks that two sides have in common: those that overlap in the most frames first, each only once.
 *
 * @returns ids of the side before, by ids of the side after; tracks without a counterpart are missing
 */
export const matchTracks = (frames: readonly SharedFrame[]): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const byFrames = countMatches(frames).sort(
    (a, b) => b.frames - a.frames || a.before - b.before || a.after - b.after,
  );
  for (const { before, after } of byFrames) {
    if (found.has(after) || taken.has(before)) continue;
    found.set(after, before);
    taken.add(before);
  }
  return found;
};
