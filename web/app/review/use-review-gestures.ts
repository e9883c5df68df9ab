import { useRef, useState, type PointerEvent } from 'react';
import type { Box } from '#shared/domain/boxes';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import type { DrawnShape, ImagePoint } from '#shared/domain/edits/edits';
import type { Size } from '#shared/domain/size';
import type { Placement, Point } from '../stage/view-geometry';
import { boxBetween, HANDLES, MIN_SIDE_PX, movedBox, resizedBox, type Handle } from './handles';
import type { Review } from './use-review';

/** What the current press of the pointer does. */
type Gesture =
  | { readonly kind: 'move'; readonly object: EditableObject; readonly from: Point }
  | {
      readonly kind: 'resize';
      readonly object: EditableObject;
      readonly handle: Handle;
      readonly from: Point;
    }
  | { readonly kind: 'area'; readonly shape: 'box' | 'ellipse' | 'keep'; readonly from: Point }
  | { readonly kind: 'stroke'; readonly points: readonly ImagePoint[]; readonly radiusPx: number };

/** Preview of the change that releasing the pointer would apply. */
export type Draft =
  | { readonly kind: 'object'; readonly id: number; readonly box: Box }
  | { readonly kind: 'outline'; readonly outline: DrawnShape }
  | { readonly kind: 'kept'; readonly box: Box };

/** A shorter way is a press, not a drag, in px of the screen. */
const MIN_DRAG_PX = 3;
/** Closer points of a stroke make no difference, as a share of the brush's radius. */
const POINT_STEP = 0.25;

const handleAt = (target: EventTarget): Handle | undefined => {
  const name =
    target instanceof Element ? target.closest('[data-handle]')?.getAttribute('data-handle') : null;
  return HANDLES.find((handle) => handle === name);
};

const objectAt = (target: EventTarget, objects: readonly EditableObject[]): EditableObject | undefined => {
  const id = target instanceof Element ? target.closest('[data-object]')?.getAttribute('data-object') : null;
  return objects.find((object) => String(object.id) === id);
};

/** The gesture that begins with a press; undefined where the press is for the view. */
const begin = (target: EventTarget, at: Point, review: Review, picture: Size): Gesture | undefined => {
  const { selected, objects, options } = review;
  const handle = handleAt(target);
  if (handle && selected) return { kind: 'resize', object: selected, handle, from: at };
  switch (options.tool) {
    case 'select': {
      const object = objectAt(target, objects);
      return object && { kind: 'move', object, from: at };
    }
    case 'brush': {
      const radiusPx = options.brushShare * Math.max(picture.width, picture.height);
      return { kind: 'stroke', points: [[at.x, at.y]], radiusPx };
    }
    case 'box':
    case 'ellipse':
    case 'keep':
      return { kind: 'area', shape: options.tool, from: at };
  }
};

const extended = (gesture: Gesture, { x, y }: Point): Gesture => {
  if (gesture.kind !== 'stroke') return gesture;
  const [lastX, lastY] = gesture.points.at(-1) as ImagePoint;
  const isNear = Math.hypot(x - lastX, y - lastY) < gesture.radiusPx * POINT_STEP;
  return isNear ? gesture : { ...gesture, points: [...gesture.points, [x, y]] };
};

const draftOf = (gesture: Gesture, at: Point, picture: Size): Draft => {
  switch (gesture.kind) {
    case 'move':
    case 'resize': {
      const { object, from } = gesture;
      const by = { x: at.x - from.x, y: at.y - from.y };
      const box =
        gesture.kind === 'move'
          ? movedBox(object.box, by, picture)
          : resizedBox(object.box, gesture.handle, by, picture);
      return { kind: 'object', id: object.id, box };
    }
    case 'stroke': {
      const { points, radiusPx } = gesture;
      return { kind: 'outline', outline: { kind: 'stroke', points, radiusPx } };
    }
    case 'area': {
      const box = boxBetween(gesture.from, at, picture);
      return gesture.shape === 'keep'
        ? { kind: 'kept', box }
        : { kind: 'outline', outline: { kind: gesture.shape, box } };
    }
  }
};

const isLarge = ({ x1, y1, x2, y2 }: Box): boolean => Math.min(x2 - x1, y2 - y1) >= MIN_SIDE_PX;

/** Applies the preview. */
const commit = (draft: Draft, review: Review): void => {
  switch (draft.kind) {
    case 'object': {
      const object = review.objects.find(({ id }) => id === draft.id);
      return object && review.change(object, { box: draft.box });
    }
    case 'kept':
      return isLarge(draft.box) ? review.keep(draft.box) : undefined;
    case 'outline':
      return draft.outline.kind === 'stroke' || isLarge(draft.outline.box)
        ? review.draw(draft.outline)
        : undefined;
  }
};

export interface ReviewGestures {
  readonly draft: Draft | null;
  readonly handlers: {
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(event: PointerEvent<HTMLElement>): void;
    onPointerCancel(event: PointerEvent<HTMLElement>): void;
  };
}

interface Pressed {
  readonly gesture: Gesture;
  readonly pointerId: number;
  readonly clientX: number;
  readonly clientY: number;
  readonly isDrag: boolean;
}

/**
 * Selecting, moving, resizing and drawing by pointer. A second pointer calls it off: two are for the view.
 *
 * @param isPanning whether a single pointer is for the view, too
 * @param isBusy is told whether the one that is down is not
 */
export const useReviewGestures = (
  review: Review | null,
  placement: Placement | null,
  picture: Size | null,
  isPanning: { readonly current: boolean },
  isBusy: { current: boolean },
): ReviewGestures => {
  const [draft, setDraft] = useState<Draft | null>(null);
  const pressed = useRef<Pressed | null>(null);

  const end = (): void => {
    pressed.current = null;
    isBusy.current = false;
    setDraft(null);
  };
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): Point | undefined => {
    if (!placement || !picture) return undefined;
    const { left, top } = currentTarget.getBoundingClientRect();
    const scale = picture.width / placement.width;
    return {
      x: (clientX - left - placement.left) * scale,
      y: (clientY - top - placement.top) * scale,
    };
  };
  return {
    draft,
    handlers: {
      onPointerDown: (event) => {
        if (pressed.current) return end();
        const at = pointOf(event);
        if (!review || !picture || !at || event.button !== 0 || isPanning.current) return;
        const gesture = begin(event.target, at, review, picture);
        if (!gesture) return review.select(null);
        if (gesture.kind === 'move') review.select(gesture.object.id);
        const { pointerId, clientX, clientY } = event;
        pressed.current = { gesture, pointerId, clientX, clientY, isDrag: gesture.kind === 'stroke' };
        isBusy.current = true;
        if (gesture.kind === 'stroke') setDraft(draftOf(gesture, at, picture));
      },
      onPointerMove: (event) => {
        const { current } = pressed;
        const at = pointOf(event);
        if (!current || !at || !picture || event.pointerId !== current.pointerId) return;
        const way = Math.hypot(event.clientX - current.clientX, event.clientY - current.clientY);
        if (!current.isDrag && way < MIN_DRAG_PX) return;
        const gesture = extended(current.gesture, at);
        pressed.current = { ...current, gesture, isDrag: true };
        setDraft(draftOf(gesture, at, picture));
      },
      onPointerUp: (event) => {
        const { current } = pressed;
        const at = pointOf(event);
        if (!current || event.pointerId !== current.pointerId) return;
        if (current.isDrag && at && review && picture) commit(draftOf(current.gesture, at, picture), review);
        end();
      },
      onPointerCancel: end,
    },
  };
};
