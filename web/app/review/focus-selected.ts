import { useEffect, useRef, type RefObject } from 'react';

/**
 * Moves the focus to the button of the selected object, or to the stage where it has none, so that keys act on it.
 * A focus outside the stage stays where it is.
 *
 * @returns for the element around the buttons, directly in the stage
 */
export const useFocusOnSelected = (selectedId: number | undefined): RefObject<HTMLDivElement | null> => {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const stage = layer.current?.parentElement;
    // What was focused may have gone with its object.
    const isHere = stage?.contains(activeElement) || activeElement === document.body;
    if (!stage || !isHere) return;
    const button = layer.current?.querySelector<HTMLElement>(`[data-object="${selectedId}"]`);
    (button ?? stage).focus({ preventScroll: true });
  }, [selectedId]);
  return layer;
};
