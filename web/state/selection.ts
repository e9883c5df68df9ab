/** Files selected together, in addition to the one in view. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Item with the keyboard focus, which is the end of a range. */
  readonly active: string | null;
  /** Start of a range. */
  readonly anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), active: null, anchor: null };

/** How an item is selected: alone, as the end of a range, or added to the selection. */
export type SelectionMode = 'alone' | 'range' | 'added';

const rangeOf = (order: readonly string[], from: string | null, to: string): readonly string[] => {
  const end = order.indexOf(to);
  const begin = from === null ? -1 : order.indexOf(from);
  if (begin < 0) return [to];
  return order.slice(Math.min(begin, end), Math.max(begin, end) + 1);
};

/** @param order all items in display order */
export const choose = (
  { ids, anchor }: Selection,
  order: readonly string[],
  id: string,
  mode: SelectionMode,
): Selection => {
  if (mode === 'range') return { ids: new Set(rangeOf(order, anchor, id)), active: id, anchor: anchor ?? id };
  if (mode === 'alone') return { ids: new Set([id]), active: id, anchor: id };
  const toggled = new Set(ids);
  if (!toggled.delete(id)) toggled.add(id);
  return { ids: toggled, active: id, anchor: id };
};

export const chooseAll = (selection: Selection, order: readonly string[]): Selection => ({
  ...selection,
  ids: new Set(order),
});

/** Returns the selection without removed items. */
export const withoutRemoved = (selection: Selection, order: readonly string[]): Selection => {
  const there = new Set(order);
  const known = (id: string | null): string | null => (id !== null && there.has(id) ? id : null);
  return {
    ids: new Set([...selection.ids].filter((id) => there.has(id))),
    active: known(selection.active),
    anchor: known(selection.anchor),
  };
};

/** Steps of each key in a grid with this number of columns and rows per page. */
const STEPS: Readonly<Record<string, (columns: number, rows: number) => number>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
  PageUp: (columns, rows) => -columns * rows,
  PageDown: (columns, rows) => columns * rows,
  Home: () => -Infinity,
  End: () => Infinity,
};

/** The item that a key leads to; undefined if there is none. */
export const steppedTo = (
  order: readonly string[],
  active: string | null,
  key: string,
  size: { readonly columns: number; readonly rows: number },
): string | undefined => {
  const by = STEPS[key]?.(size.columns, size.rows);
  if (by === undefined) return undefined;
  const at = active === null ? -1 : order.indexOf(active);
  if (at < 0) return order[0];
  const to = at + by;
  const isRowAway = Math.abs(by) === size.columns && Number.isFinite(by);
  // Up from the first row and down from the last row do nothing.
  if (isRowAway && (to < 0 || to >= order.length)) return order[at];
  return order[Math.min(order.length - 1, Math.max(0, to))];
};
