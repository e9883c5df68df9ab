import type { ShownFrames } from '../../domain/plan';

/** Records in which frames tracks are visible. */
interface ShownLog {
  /** @param index of the frame; frames in order @param visible ids of tracks */
  add(index: number, visible: readonly (number | undefined)[]): void;
  shown(): readonly ShownFrames[];
}

export const createShownLog = (): ShownLog => {
  const all: ShownFrames[] = [];
  const open = new Map<number, ShownFrames>();
  return {
    add: (index, visible) => {
      const ids = new Set(visible);
      for (const [trackId, run] of open) {
        if (ids.has(trackId)) continue;
        all.push(run);
        open.delete(trackId);
      }
      for (const trackId of ids) {
        if (trackId === undefined) continue;
        const firstFrame = open.get(trackId)?.firstFrame ?? index;
        open.set(trackId, { trackId, firstFrame, lastFrame: index });
      }
    },
    shown: () => [...all, ...open.values()],
  };
};
