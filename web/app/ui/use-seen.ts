import { useEffect, useState, type RefObject } from 'react';

/**
 * What of a scrolled box can be seen, or nearly; follows scrolling and resizing.
 *
 * @param look the same function until something it reads has changed. @param isSame spares what did not change a render
 */
export const useSeen = <T>(
  box: RefObject<HTMLElement | null>,
  nothing: T,
  look: (box: HTMLElement) => T,
  isSame: (a: T, b: T) => boolean,
): T => {
  const [seen, setSeen] = useState(nothing);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const follow = (): void => {
      const next = look(element);
      setSeen((last) => (isSame(last, next) ? last : next));
    };
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, [box, look, isSame]);
  return seen;
};
