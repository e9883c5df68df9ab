import { useState, type RefObject } from 'react';
import { toBbox, type Box } from '#shared/domain/boxes';
import type { MediaItem } from '../../state/media-item';
import { withDrawn } from '../../state/video-edits';
import { useServices } from '../services';
import type { Playback } from './use-playback';

/** Drawing a box on the frame in view. */
export interface Drawing {
  readonly isActive: boolean;
  begin(): void;
  /** Adds the box to the edits. */
  finish(box: Box): void;
  cancel(): void;
}

/** @param canvas gets the focus back */
export const useDrawing = (
  { id, edits: { present } }: MediaItem,
  playback: Playback,
  canvas: RefObject<HTMLElement | null>,
): Drawing => {
  const { store } = useServices();
  const [isActive, setActive] = useState(false);
  const cancel = (): void => {
    setActive(false);
    canvas.current?.focus();
  };
  return {
    isActive,
    begin: () => {
      playback.pause();
      setActive(true);
    },
    finish: (box) => {
      const edits = withDrawn(present, { at: playback.currentTimeS(), bbox: toBbox(box) });
      store.send({ type: 'edited', id, edit: { type: 'replaced', edits } });
      cancel();
    },
    cancel,
  };
};
