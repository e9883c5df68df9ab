import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the screen's main element if the focused element was removed (the button of the first screen, a
 * removed file, the stage of another file). Otherwise the next Tab would start at the top of the page.
 *
 * Only if the last input came from the keyboard: other users would see a focus ring on an element that they did not
 * touch.
 *
 * @param occasion any value that changes when the focused element may have been removed
 */
export const useKeptFocus = (occasion: unknown): void => {
  const isByKeyboard = useRef(false);

  useEffect(() => {
    const controller = new AbortController();
    const note = (isKey: boolean) => (): void => {
      isByKeyboard.current = isKey;
    };
    const options = { capture: true, signal: controller.signal };
    window.addEventListener('keydown', note(true), options);
    window.addEventListener('pointerdown', note(false), options);
    window.addEventListener('dragenter', note(false), options);
    return () => controller.abort();
  }, []);

  useEffect(() => {
    if (!isByKeyboard.current || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('[data-main-focus]')?.focus({ preventScroll: true });
  }, [occasion]);
};
