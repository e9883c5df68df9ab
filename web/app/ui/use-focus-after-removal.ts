import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Moves the focus from an element to another when it is removed, by undoing as well: otherwise it would be lost. */
export const useFocusAfterRemoval = <Element extends HTMLElement>(
  next: RefObject<HTMLElement | null>,
): RefObject<Element | null> => {
  const removed = useRef<Element>(null);
  useLayoutEffect(() => {
    const element = removed.current;
    return () => {
      if (element?.contains(document.activeElement)) next.current?.focus();
    };
  }, [next]);
  return removed;
};
