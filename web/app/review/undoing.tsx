import { useEffect, type ReactElement } from 'react';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';

/** Undoing and redoing of the edits of one file. */
export interface Undoing {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  undo(): void;
  redo(): void;
}

const TEXT_FIELDS = 'input:not([type="range"]):not([type="checkbox"]):not([type="radio"]), textarea';

/** Keys for undo and redo, unless the focus is in a text field or a dialog is open. @param undoing null: none */
export const useUndoKeys = (undoing: Undoing | null): void => {
  useEffect(() => {
    if (!undoing) return;
    const press = (event: KeyboardEvent): void => {
      const isText = event.target instanceof Element && event.target.matches(TEXT_FIELDS);
      if (isText || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
      if ((!isRedo && key !== 'z') || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (isRedo) undoing.redo();
      else undoing.undo();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [undoing]);
};

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
