import { useState, type ReactElement } from 'react';
import type { MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { IconButton } from '../ui/button';
import { isDialogOpen, useKeys } from '../ui/use-keys';

/**
 * Undoes and redoes the edits of a file.
 *
 * @param canEdit whether the file has a result that can be edited now
 * @param withAll whether a change of all images is undone, too, if it was the last
 */
export const useUndoing = (
  { id, edits: { past, future } }: MediaItem,
  canEdit: boolean,
  withAll: boolean,
) => {
  const { announcements } = useMessages().review;
  const { store } = useServices();
  /** Announcement of the last edit or step for screen readers. */
  const [news, setNews] = useState('');
  const isForAllLatest = useAppState().doneForAll?.isLatest === true && withAll;
  const canUndo = canEdit && (isForAllLatest || past.length > 0);
  const canRedo = canEdit && future.length > 0;
  const step = (type: 'undone' | 'redone'): void => {
    if (type === 'undone' && isForAllLatest) store.send({ type: 'undone-for-all' });
    else store.send({ type: 'edited', id, edit: { type } });
    setNews(announcements[type]);
  };
  return {
    ...{ canUndo, canRedo, news, setNews },
    undo: () => canUndo && step('undone'),
    redo: () => canRedo && step('redone'),
  };
};

type Undoing = ReturnType<typeof useUndoing>;

const TEXT_FIELDS = 'input:not([type="range"]):not([type="checkbox"]):not([type="radio"]), textarea';

/** Keys for undo and redo, unless the focus is in a text field or a dialog is open. @param undoing null: none */
export const useUndoKeys = (undoing: Undoing | null): void =>
  useKeys(
    undoing &&
      ((event) => {
        const isText = event.target instanceof Element && event.target.matches(TEXT_FIELDS);
        if (isText || !(event.ctrlKey || event.metaKey) || event.altKey) return;
        const key = event.key.toLowerCase();
        const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
        if ((!isRedo && key !== 'z') || isDialogOpen()) return;
        event.preventDefault();
        if (isRedo) undoing.redo();
        else undoing.undo();
      }),
  );

/** The buttons for undo and redo. */
export const UndoButtons = ({ undoing }: { readonly undoing: Undoing }): ReactElement => {
  const text = useMessages().review;
  return (
    <>
      <IconButton
        icon="undo"
        label={text.undo}
        title={text.undoTitle}
        disabled={!undoing.canUndo}
        onClick={undoing.undo}
      />
      <IconButton
        icon="redo"
        label={text.redo}
        title={text.redoTitle}
        disabled={!undoing.canRedo}
        onClick={undoing.redo}
      />
    </>
  );
};
