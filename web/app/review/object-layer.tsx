import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react';
import type { Box } from '#shared/domain/boxes';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import type { Size } from '#shared/domain/size';
import { useMessages, type Messages } from '../messages';
import type { Placement } from '../stage/view-geometry';
import { DraftOutline } from './draft-outline';
import { HANDLES, movedBox, resizedBox } from './handles';
import styles from './object-layer.module.css';
import type { Review } from './use-review';
import type { Draft } from './use-review-gestures';

/** How far one press of an arrow key moves, in px of the screen: closer up, finer. */
const STEP_PX = 4;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;
const placeOf = ({ x1, y1, x2, y2 }: Box, { width, height }: Size) => ({
  left: share(x1, width),
  top: share(y1, height),
  width: share(x2 - x1, width),
  height: share(y2 - y1, height),
});

/** Class and score of an object, or that it was drawn. */
const titleOf = ({ origin, objectClass, score }: EditableObject, messages: Messages): string => {
  const text = messages.review;
  if (origin === 'kept') return text.keptArea;
  const name = messages.objectName(objectClass);
  return origin === 'drawn' ? text.drawnObject(name) : messages.stage.box(name, score);
};

const labelOf = (object: EditableObject, { width, height }: Size, messages: Messages): string => {
  const { x1, y1, x2, y2 } = object.box;
  const middle = (from: number, to: number, whole: number): number => (from + to) / 2 / whole;
  const place = messages.stage.object(
    titleOf(object, messages),
    middle(x1, x2, width),
    middle(y1, y2, height),
  );
  return object.isOff ? messages.review.switchedOff(place) : place;
};

/** Keyboard shortcuts of the focused object. @returns whether the key was handled */
const press = (
  event: KeyboardEvent,
  object: EditableObject,
  review: Review,
  picture: Size,
  stepPx: number,
): boolean => {
  if (event.key === 'Delete' || event.key === 'Backspace') {
    review.remove(object);
    return true;
  }
  const arrow = ARROWS[event.key];
  if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return false;
  const by = { x: arrow[0] * stepPx, y: arrow[1] * stepPx };
  const box = event.shiftKey ? resizedBox(object.box, 'se', by, picture) : movedBox(object.box, by, picture);
  review.change(object, { box }, `arrows ${object.id}`);
  return true;
};

const ObjectItem = ({
  object,
  review,
  picture,
  stepPx,
  draft,
}: {
  readonly object: EditableObject;
  readonly review: Review;
  readonly picture: Size;
  readonly stepPx: number;
  readonly draft: Draft | null;
}): ReactElement => {
  const messages = useMessages();
  const isSelected = review.selected?.id === object.id;
  const box = draft?.kind === 'object' && draft.id === object.id ? draft.box : object.box;
  return (
    <li
      className={styles['item']}
      style={placeOf(box, picture)}
      data-selected={isSelected}
      data-class={object.objectClass}
      data-origin={object.origin}
      data-off={object.isOff}
    >
      <button
        type="button"
        className={styles['object']}
        data-object={object.id}
        data-testid="object"
        aria-pressed={object.origin === 'kept' ? undefined : !object.isOff}
        aria-label={labelOf(object, picture, messages)}
        onFocus={() => review.select(object.id)}
        // By pointer it is selected; only keys, which have no press to count, switch.
        onClick={({ detail }) =>
          detail === 0 && object.origin !== 'kept' && review.change(object, { isOff: !object.isOff })
        }
        onKeyDown={(event) => {
          if (!press(event, object, review, picture, stepPx)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <span className={styles['title']}>{titleOf(object, messages)}</span>
      </button>
      {isSelected &&
        HANDLES.map((handle) => (
          <span key={handle} className={styles['handle']} data-handle={handle} aria-hidden="true" />
        ))}
    </li>
  );
};

/** The objects over the picture, to select and change. A list, so that it can be gone through without seeing it. */
export const ObjectLayer = ({
  review,
  picture,
  placement,
  draft,
}: {
  readonly review: Review;
  readonly picture: Size;
  readonly placement: Placement;
  readonly draft: Draft | null;
}): ReactElement => {
  const messages = useMessages();
  const layer = useRef<HTMLDivElement>(null);
  const { objects, selected, options } = review;
  const selectedId = selected?.id;
  useEffect(() => {
    const { activeElement } = document;
    const stage = layer.current?.parentElement;
    // What was focused may have gone with its object.
    const isHere = stage?.contains(activeElement) || activeElement === document.body;
    if (!stage || !isHere) return;
    const button = layer.current?.querySelector<HTMLElement>(`[data-object="${selectedId}"]`);
    (button ?? stage).focus({ preventScroll: true });
  }, [selectedId]);
  const stepPx = Math.max(1, Math.round((STEP_PX * picture.width) / placement.width));
  return (
    <div ref={layer} className={styles['layer']} style={{ ...placement }} data-tool={options.tool}>
      {draft && draft.kind !== 'object' && <DraftOutline draft={draft} picture={picture} />}
      <ul aria-label={messages.stage.boxesList}>
        {objects.map((object) => (
          <ObjectItem key={object.id} {...{ object, review, picture, stepPx, draft }} />
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {review.news}
      </p>
    </div>
  );
};
