import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  useId,
  useMemo,
  useRef,
} from 'react';
import { isStale } from '../../state/media-item';
import {
  type Selection,
  type SelectionMode,
  choose,
  chooseAll,
  NOTHING_SELECTED,
  steppedTo,
} from '../../state/selection';
import { useMessages } from '../messages';
import { useAppState } from '../services';
import { Card } from './card';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useSize } from '../stage/use-size';
import styles from './grid.module.css';

/** Size of a card with the gaps to its right and below it, as in `grid.module.css`. */
const CARD_PX = { width: 176, height: 224 };
/** Space above the first row and below the last one. */
const PADDING_PX = 8;
/** Rows rendered beyond both edges. */
const OVERSCAN_ROWS = 2;

/** The rows that are visible or nearly visible, also after the grid is scrolled or resized. @param box scrolling element @param count number of cards */
const useGridRows = (box: RefObject<HTMLElement | null>, count: number) => {
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
    /** Number of rows that fit completely. */
    rows: Math.max(1, Math.floor(height / CARD_PX.height)),
    /** Cards to render: from `first` up to, not including, `end`. */
    cards: {
      first: (firstRow?.index ?? 0) * columns,
      end: lastRow ? Math.min(count, (lastRow.index + 1) * columns) : 0,
    },
    /** Top of the first rendered row. */
    topPx: firstRow?.start ?? 0,
    /** Height of the whole grid, rendered or not. */
    heightPx: virtualizer.getTotalSize(),
    /** Scrolls to a card. */
    show: (index: number): void => virtualizer.scrollToIndex(Math.floor(index / columns)),
  };
};

interface GridProps {
  readonly selection: Selection;
  onSelect(selection: Selection): void;
  /** Opens the file in the single view. */
  onOpen(id: string): void;
  onRemove(): void;
}

/** A touch cannot be combined with a modifier key, so it adds to the selection. */
const modeOf = (event: MouseEvent): SelectionMode => {
  const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
  if (event.shiftKey) return 'range';
  return event.ctrlKey || event.metaKey || isTouch ? 'added' : 'alone';
};

const cardAt = ({ target }: MouseEvent): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[role="option"]')?.dataset['id'] : undefined;

interface KeyTarget extends GridProps {
  readonly order: readonly string[];
  /** Item with the keyboard focus. */
  readonly active: string | null;
  readonly size: { readonly columns: number; readonly rows: number };
  /** Scrolls to a card. */
  show(id: string): void;
}

/** Action of a key; undefined if the grid does not use the key. */
const actionOf = (
  { key, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  { selection, onSelect, onOpen, onRemove, order, active, size, show }: KeyTarget,
): (() => void) | undefined => {
  const to = steppedTo(order, active, key, size);
  if (to !== undefined) {
    return () => {
      const isMoved = ctrlKey && !shiftKey;
      onSelect(
        isMoved ? { ...selection, active: to } : choose(selection, order, to, shiftKey ? 'range' : 'alone'),
      );
      show(to);
    };
  }
  if (key === 'a' && (ctrlKey || metaKey)) return () => onSelect(chooseAll(selection, order));
  if (key === 'Escape') return () => onSelect({ ...NOTHING_SELECTED, active });
  if (key === 'Delete') return onRemove;
  if (active === null) return undefined;
  if (key === ' ') return () => onSelect(choose(selection, order, active, 'added'));
  return key === 'Enter' ? () => onOpen(active) : undefined;
};

/** The rendered cards, with their positions in the whole list. */
const Cards = ({
  seen: { columns, cards, topPx, heightPx },
  selection,
  active,
  prefix,
}: {
  readonly seen: ReturnType<typeof useGridRows>;
  readonly selection: Selection;
  readonly active: string | null;
  /** Prefix of the cards' ids in the document. */
  readonly prefix: string;
}): ReactElement => {
  const { items, settings } = useAppState();
  return (
    <div
      role="presentation"
      className={styles['cards']}
      style={{
        height: heightPx,
        paddingTop: topPx,
        gridTemplateColumns: `repeat(${columns}, ${CARD_PX.width}px)`,
      }}
    >
      {items.slice(cards.first, cards.end).map((item, i) => (
        <Card
          key={item.id}
          id={`${prefix}-${item.id}`}
          item={item}
          isChosen={selection.ids.has(item.id)}
          isActive={item.id === active}
          isStale={isStale(item, settings)}
          position={cards.first + i + 1}
          count={items.length}
        />
      ))}
    </div>
  );
};

/** All files as cards. Of hundreds of files, only those near the visible part are rendered. */
export const Grid = (props: GridProps): ReactElement => {
  const { selection, onSelect, onOpen } = props;
  const text = useMessages().grid;
  const { items } = useAppState();
  const box = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const order = useMemo(() => items.map(({ id }) => id), [items]);
  const seen = useGridRows(box, items.length);
  const { columns, rows, cards } = seen;
  const active = selection.active ?? order[0] ?? null;
  const activeAt = active === null ? -1 : order.indexOf(active);
  const isActiveRendered = activeAt >= cards.first && activeAt < cards.end;
  const show = (id: string): void => seen.show(order.indexOf(id));
  return (
    <div
      ref={box}
      className={styles['grid']}
      role="listbox"
      aria-multiselectable="true"
      aria-label={text.list}
      aria-activedescendant={isActiveRendered ? `${prefix}-${active}` : undefined}
      tabIndex={0}
      data-main-focus
      data-testid="grid"
      onKeyDown={(event) => {
        const act = actionOf(event, { ...props, order, active, size: { columns, rows }, show });
        if (!act) return;
        event.preventDefault();
        act();
      }}
      onClick={(event) => {
        const id = cardAt(event);
        if (id !== undefined) onSelect(choose(selection, order, id, modeOf(event)));
      }}
      onDoubleClick={(event) => {
        const id = cardAt(event);
        if (id !== undefined) onOpen(id);
      }}
    >
      <Cards seen={seen} selection={selection} active={active} prefix={prefix} />
    </div>
  );
};
