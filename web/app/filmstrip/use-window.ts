import { useCallback, type RefObject } from 'react';
import { useSeen } from '../ui/use-seen';
import { visibleRange, type Range } from './visible-range';

const isSame = (a: Range, b: Range): boolean => a.first === b.first && a.end === b.end;

/** Which items of a row can be seen, or nearly. */
export const useWindow = (row: RefObject<HTMLElement | null>, count: number): Range => {
  const look = useCallback(
    ({ scrollLeft, clientWidth }: HTMLElement) => visibleRange(scrollLeft, clientWidth, count),
    [count],
  );
  return useSeen(row, visibleRange(0, 0, count), look, isSame);
};
