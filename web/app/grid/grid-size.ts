import { visibleRange, type Range } from '../filmstrip/visible-range';

/** Of a card with the gaps behind and below it, as in `grid.module.css`. */
export const CARD_PX = { width: 176, height: 224 };
/** Rows rendered beyond both edges. */
const BEYOND = 2;

/** What of a grid is seen, or nearly. */
export interface GridWindow {
  readonly columns: number;
  /** That fit whole. */
  readonly rows: number;
  /** Cards to render. */
  readonly cards: Range;
}

/**
 * Which cards are worth rendering.
 *
 * @param widthPx and `heightPx`: of the part that is seen
 * @param scrolledPx how far it is scrolled down
 */
export const gridWindow = (
  widthPx: number,
  heightPx: number,
  scrolledPx: number,
  count: number,
): GridWindow => {
  const columns = Math.max(1, Math.floor(widthPx / CARD_PX.width));
  const { first, end } = visibleRange(scrolledPx, heightPx, Math.ceil(count / columns), {
    itemPx: CARD_PX.height,
    beyond: BEYOND,
  });
  return {
    columns,
    rows: Math.max(1, Math.floor(heightPx / CARD_PX.height)),
    cards: { first: first * columns, end: Math.min(count, end * columns) },
  };
};
