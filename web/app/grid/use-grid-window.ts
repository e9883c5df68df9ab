import { useEffect, useState, type RefObject } from 'react';
import { gridWindow, type GridWindow } from './grid-size';

const isSame = (a: GridWindow, b: GridWindow): boolean =>
  a.columns === b.columns &&
  a.rows === b.rows &&
  a.cards.first === b.cards.first &&
  a.cards.end === b.cards.end;

/** What of the grid can be seen, or nearly; follows scrolling and resizing. */
export const useGridWindow = (box: RefObject<HTMLElement | null>, count: number): GridWindow => {
  const [seen, setSeen] = useState<GridWindow>(() => gridWindow(0, 0, 0, count));
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = (): void => {
      const next = gridWindow(element.clientWidth, element.clientHeight, element.scrollTop, count);
      setSeen((last) => (isSame(last, next) ? last : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box, count]);
  return seen;
};
