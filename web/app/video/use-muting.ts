import { mutedPartOf, type MutedPart } from '#shared/domain/edits/edits';
import { useEffect, useMemo, useState } from 'react';
import type { MediaItem } from '../../state/media-item';
import { isMutedAt, partBetween, withMutedParts } from '../../state/muted-parts';
import { useServices } from '../services';
import type { Playback } from './use-playback';

/** Silences the result in parts that are muted, but not applied yet. */
const useSilence = ({ result, isPlaying, timeS }: Playback, parts: readonly MutedPart[]): void => {
  useEffect(() => {
    let next = 0;
    const silence = (): void => {
      const { current: video } = result;
      if (video) video.muted = isMutedAt(parts, video.currentTime);
      if (isPlaying) next = requestAnimationFrame(silence);
    };
    silence();
    return () => cancelAnimationFrame(next);
  }, [result, isPlaying, timeS, parts]);
};

/** Editing of the parts without sound. @returns undefined where nothing can be muted: no result, or one without audio */
export const useMuting = (item: MediaItem, playback: Playback, hasResult: boolean) => {
  const { store } = useServices();
  const [openS, setOpen] = useState<number>();
  const { id, settings } = item;
  const { present } = item.edits;
  const { mute } = present;
  const parts = useMemo(() => (mute ?? []).map(mutedPartOf), [mute]);
  useSilence(playback, parts);
  /** Replaces all parts. @param step consecutive changes of the same step are undone together */
  const set = (changed: readonly MutedPart[], step?: string): void => {
    const edits = withMutedParts(present, changed);
    store.send({
      type: 'edited',
      id,
      edit: { type: 'replaced', edits, ...(step !== undefined && { step }) },
    });
  };
  if (!hasResult || settings?.audio === 'mute') return undefined;
  return {
    parts,
    /** Where a part was begun that has no end yet. */
    openS,
    set,
    /** Begins a part at the position of the video, or ends the one that was begun. */
    mark: (): void => {
      const nowS = playback.currentTimeS();
      if (openS === undefined) return setOpen(nowS);
      setOpen(undefined);
      const part = partBetween(openS, nowS);
      if (part) set([...parts, part]);
    },
  };
};
export type Muting = NonNullable<ReturnType<typeof useMuting>>;
