/** Of one thumbnail with the gap behind it, as in `filmstrip.module.css`. */
export const ITEM_PX = 80;
/** Rendered beyond both edges: for scrolling, and for the Tab key. */
const BEYOND = 12;

/** Items from `first` up to, not including, `end`. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/**
 * Which items of a long row are worth rendering.
 *
 * @param scrolledPx how far the row is scrolled
 * @param widthPx of the part that is seen
 */
export const visibleRange = (scrolledPx: number, widthPx: number, count: number): Range => {
  const end = Math.min(count, Math.ceil((scrolledPx + widthPx) / ITEM_PX) + BEYOND);
  const first = Math.max(0, Math.min(end, Math.floor(scrolledPx / ITEM_PX) - BEYOND));
  return { first, end };
};
