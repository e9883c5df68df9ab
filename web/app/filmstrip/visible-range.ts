/** Of one thumbnail with the gap behind it, as in `filmstrip.module.css`. */
export const ITEM_PX = 80;
/** Rendered beyond both edges: for scrolling, and for the Tab key. */
const BEYOND = 12;
const STRIP = { itemPx: ITEM_PX, beyond: BEYOND };

/** Items from `first` up to, not including, `end`. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/**
 * Which items of a long list are worth rendering.
 *
 * @param scrolledPx how far the list is scrolled
 * @param seenPx length of the part that is seen
 * @param list `itemPx`: length of an item; `beyond`: items rendered beyond both edges
 */
export const visibleRange = (
  scrolledPx: number,
  seenPx: number,
  count: number,
  { itemPx, beyond } = STRIP,
): Range => {
  const end = Math.min(count, Math.ceil((scrolledPx + seenPx) / itemPx) + beyond);
  const first = Math.max(0, Math.min(end, Math.floor(scrolledPx / itemPx) - beyond));
  return { first, end };
};
