import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useSize } from '../stage/use-size';

/** Size of a card with the gaps to its right and below it, as in `grid.module.css`. */
export const CARD_PX = { width: 176, height: 224 };
/** Space above the first row and below the last one. */
const PADDING_PX = 8;
/** Rows rendered beyond both edges. */
const OVERSCAN_ROWS = 2;

/** The rows of a grid that are visible or nearly visible. */
export interface GridRows {
  readonly columns: number;
  /** Number of rows that fit completely. */
  readonly rows: number;
  /** Cards to render: from `first` up to, not including, `end`. */
  readonly cards: { readonly first: number; readonly end: number };
  /** Top of the first rendered row. */
  readonly topPx: number;
  /** Height of the whole grid, rendered or not. */
  readonly heightPx: number;
  /** Scrolls to a card. */
  show(index: number): void;
}

/** Updates the rows when the grid is scrolled or resized. @param box scrolling element @param count number of cards */
export const useGridRows = (box: RefObject<HTMLElement | null>, count: number): GridRows => {
  const { width, height } = useSize(box) ?? { width: 0, height: 0 };
  const columns = Math.max(1, Math.floor(width / CARD_PX.width));
  const virtualizer = useVirtualizer({
    count: Math.ceil(count / columns),
    getScrollElement: () => box.current,
    estimateSize: () => CARD_PX.height,
    overscan: OVERSCAN_ROWS,
    paddingStart: PADDING_PX,
    paddingEnd: PADDING_PX,
  });
  const seen = virtualizer.getVirtualItems();
  const [firstRow] = seen;
  const lastRow = seen.at(-1);
  return {
    columns,
    rows: Math.max(1, Math.floor(height / CARD_PX.height)),
    cards: {
      first: (firstRow?.index ?? 0) * columns,
      end: lastRow ? Math.min(count, (lastRow.index + 1) * columns) : 0,
    },
    topPx: firstRow?.start ?? 0,
    heightPx: virtualizer.getTotalSize(),
    show: (index) => virtualizer.scrollToIndex(Math.floor(index / columns)),
  };
};
