import { useState } from 'react';
import type { MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import type { Undoing } from '../review/undoing';
import { useServices } from '../services';

/** Undoing of a video's edits, which waits for Apply like the edits themselves. */
interface VideoUndoing extends Undoing {
  /** Announcement of the last step for screen readers. */
  readonly news: string;
}

/** @param canEdit whether the video has a result that can be edited now */
export const useVideoUndoing = (
  { id, edits: { past, future } }: MediaItem,
  canEdit: boolean,
): VideoUndoing => {
  const { announcements } = useMessages().review;
  const { store } = useServices();
  const [news, setNews] = useState('');
  const canUndo = canEdit && past.length > 0;
  const canRedo = canEdit && future.length > 0;
  const step = (type: 'undone' | 'redone'): void => {
    store.send({ type: 'edited', id, edit: { type } });
    setNews(announcements[type]);
  };
  return {
    ...{ canUndo, canRedo, news },
    undo: () => canUndo && step('undone'),
    redo: () => canRedo && step('redone'),
  };
};
