import { useEffect } from 'react';

/**
 * Gives the focus to the stage when the element that had it is gone (the first screen's button, a removed picture, the
 * stage of another picture): from the page's own body, the keyboard would start at the top again.
 *
 * @param occasion changes when that may have happened
 */
export const useKeptFocus = (occasion: unknown): void => {
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('[data-stage]')?.focus({ preventScroll: true });
  }, [occasion]);
};
