/** Pictures chosen together, beside the one in view. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Where the keyboard is, and what a range ends at. */
  readonly active: string | null;
  /** What a range begins at. */
  readonly anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), active: null, anchor: null };

/** How a picture is chosen: alone, as the end of a range, or beside those that are chosen already. */
export type SelectionMode = 'alone' | 'range' | 'beside';

const rangeOf = (order: readonly string[], from: string | null, to: string): readonly string[] => {
  const end = order.indexOf(to);
  const begin = from === null ? -1 : order.indexOf(from);
  if (begin < 0) return [to];
  return order.slice(Math.min(begin, end), Math.max(begin, end) + 1);
};

/** @param order all pictures, as they are shown */
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

/** Without pictures that are gone. */
export const stillThere = (selection: Selection, order: readonly string[]): Selection => {
  const there = new Set(order);
  const known = (id: string | null): string | null => (id !== null && there.has(id) ? id : null);
  return {
    ids: new Set([...selection.ids].filter((id) => there.has(id))),
    active: known(selection.active),
    anchor: known(selection.anchor),
  };
};

/** How far each key goes, in a grid of so many columns and so many rows to a page. */
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

/** The picture that a key leads to; undefined where it leads nowhere. */
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
  // Up from the first row, or down from the last, stays.
  if (isRowAway && (to < 0 || to >= order.length)) return order[at];
  return order[Math.min(order.length - 1, Math.max(0, to))];
};
