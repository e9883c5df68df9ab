import type { KeyboardEvent } from 'react';
import { ZOOM_STEP, type ViewControl } from './use-view';

interface Actions {
  readonly control: ViewControl;
  toggleBoxes(): void;
  setHeld(isHeld: boolean): void;
}

/** What keys do while the stage itself has the focus: single letters must not act anywhere else (WCAG 2.1.4). */
export const stageKeys = ({ control, toggleBoxes, setHeld }: Actions) => {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => control.zoomBy(ZOOM_STEP),
    '=': () => control.zoomBy(ZOOM_STEP),
    '-': () => control.zoomBy(1 / ZOOM_STEP),
    '0': control.fit,
    b: toggleBoxes,
    o: () => setHeld(true),
    ' ': () => setHeld(true),
  };
  const release = (): void => setHeld(false);
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      const act = actions[event.key];
      if (!act || event.target !== event.currentTarget) return;
      event.preventDefault();
      act();
    },
    onKeyUp: release,
    onBlur: release,
  };
};
