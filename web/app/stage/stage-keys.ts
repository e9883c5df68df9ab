import type { KeyboardEvent } from 'react';
import { isOnPicture } from '../review/review-keys';
import { ZOOM_STEP, type ViewControl } from './use-view';

interface Actions {
  readonly control: ViewControl;
  toggleBoxes(): void;
  setHeld(isHeld: boolean): void;
  /** Called when the space key is pressed or released. */
  setSpace(isHeld: boolean): void;
  /** Handles other keys. */
  readonly more: Readonly<Record<string, () => void>>;
}

/** Keys that a focused object handles itself. */
const OF_OBJECTS = [' ', 'Enter'];

/** Keyboard shortcuts of the focused stage. Single letters must not act anywhere else (WCAG 2.1.4). */
export const stageKeys = ({ control, toggleBoxes, setHeld, setSpace, more }: Actions) => {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => control.zoomBy(ZOOM_STEP),
    '=': () => control.zoomBy(ZOOM_STEP),
    '-': () => control.zoomBy(1 / ZOOM_STEP),
    '0': control.fit,
    b: toggleBoxes,
    o: () => setHeld(true),
    ' ': () => setSpace(true),
    ...more,
  };
  const release = (): void => {
    setHeld(false);
    setSpace(false);
  };
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      const act = actions[event.key];
      if (!act || !isOnPicture(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target !== event.currentTarget && OF_OBJECTS.includes(event.key)) return;
      event.preventDefault();
      act();
    },
    onKeyUp: release,
    onBlur: release,
  };
};
