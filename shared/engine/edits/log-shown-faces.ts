import type { PlannedRegion, ShownFrames } from '../../domain/video-edits';

/** Records in which frames the tracks of a subject are visible. */
interface ShownFacesLog {
  /** @param regions of a frame as it was written; frames in order */
  add(index: number, regions: readonly PlannedRegion[]): void;
  shown(): readonly ShownFrames[];
}

export const logShownFaces = (): ShownFacesLog => {
  const all: ShownFrames[] = [];
  const open = new Map<number, ShownFrames>();
  return {
    add: (index, regions) => {
      const visible = new Set(
        regions.flatMap(({ trackId, shown }) =>
          trackId === undefined || shown === undefined ? [] : [trackId],
        ),
      );
      for (const [trackId, run] of open) {
        if (visible.has(trackId)) continue;
        all.push(run);
        open.delete(trackId);
      }
      for (const trackId of visible) {
        const firstFrame = open.get(trackId)?.firstFrame ?? index;
        open.set(trackId, { trackId, firstFrame, lastFrame: index });
      }
    },
    shown: () => [...all, ...open.values()],
  };
};
