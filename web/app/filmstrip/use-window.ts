import { useEffect, useState, type RefObject } from 'react';
import { visibleRange, type Range } from './visible-range';

/** Which items of a row can be seen, or nearly; follows scrolling and resizing. */
export const useWindow = (row: RefObject<HTMLElement | null>, count: number): Range => {
  const [range, setRange] = useState<Range>(() => visibleRange(0, 0, count));
  useEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const look = (): void => {
      const next = visibleRange(element.scrollLeft, element.clientWidth, count);
      setRange((last) => (last.first === next.first && last.end === next.end ? last : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [row, count]);
  return range;
};
