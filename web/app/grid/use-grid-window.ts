import { useCallback, type RefObject } from 'react';
import { useSeen } from '../ui/use-seen';
import { gridWindow, type GridWindow } from './grid-size';

const isSame = (a: GridWindow, b: GridWindow): boolean =>
  a.columns === b.columns &&
  a.rows === b.rows &&
  a.cards.first === b.cards.first &&
  a.cards.end === b.cards.end;

/** What of the grid can be seen, or nearly. */
export const useGridWindow = (box: RefObject<HTMLElement | null>, count: number): GridWindow => {
  const look = useCallback(
    ({ clientWidth, clientHeight, scrollTop }: HTMLElement) =>
      gridWindow(clientWidth, clientHeight, scrollTop, count),
    [count],
  );
  return useSeen(box, gridWindow(0, 0, 0, count), look, isSame);
};
