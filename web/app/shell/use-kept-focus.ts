import { useEffect, useRef } from 'react';

/**
 * Gives the focus to the screen's main element when the one that had it is gone (the first screen's button, a removed
 * picture, the stage of another picture): from the page's own body, the keyboard would start at the top again.
 *
 * Only for who works by keyboard: others would see a ring appear around something that they did not touch.
 *
 * @param occasion changes when that may have happened
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
