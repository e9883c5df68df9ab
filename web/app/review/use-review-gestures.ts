import type { PointerEvent } from 'react';
import type { Box } from '#shared/domain/boxes';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import type { DrawnShape, ImagePoint } from '#shared/domain/edits/edits';
import type { Size } from '#shared/domain/size';
import { draggedBox, drawnBox, shownImage, type Grip, type ShownImage } from '../boxes/box-geometry';
import { handleAt } from '../boxes/box-handles';
import { useDrag, type Drag } from '../boxes/use-drag';
import type { Placement, Point } from '../stage/view-geometry';
import type { Review } from './use-review';

/** What the current press of the pointer does. */
type Gesture =
  | { readonly kind: 'object'; readonly object: EditableObject; readonly grip: Grip }
  | { readonly kind: 'area'; readonly shape: 'box' | 'ellipse' | 'keep' }
  | { readonly kind: 'stroke'; readonly points: readonly ImagePoint[]; readonly radiusPx: number };

/** Preview of the change that releasing the pointer would apply. */
export type Draft =
  | { readonly kind: 'object'; readonly object: EditableObject; readonly box: Box }
  | { readonly kind: 'outline'; readonly outline: DrawnShape }
  | { readonly kind: 'kept'; readonly box: Box };

/** Closer points of a stroke make no difference, as a share of the brush's radius. */
const POINT_STEP = 0.25;

const objectAt = (target: EventTarget, objects: readonly EditableObject[]): EditableObject | undefined => {
  const id = target instanceof Element ? target.closest('[data-object]')?.getAttribute('data-object') : null;
  return objects.find((object) => String(object.id) === id);
};

/** The gesture that begins with a press; undefined where the press is for the view. */
const begin = (target: EventTarget, at: Point, review: Review, picture: Size): Gesture | undefined => {
  const { selected, objects, options } = review;
  const handle = handleAt(target);
  if (handle && selected) return { kind: 'object', object: selected, grip: handle };
  switch (options.tool) {
    case 'select': {
      const object = objectAt(target, objects);
      return object && { kind: 'object', object, grip: 'box' };
    }
    case 'brush': {
      const radiusPx = options.brushShare * Math.max(picture.width, picture.height);
      return { kind: 'stroke', points: [[at.x, at.y]], radiusPx };
    }
    case 'box':
    case 'ellipse':
    case 'keep':
      return { kind: 'area', shape: options.tool };
  }
};

const extended = (gesture: Gesture, { x, y }: Point): Gesture => {
  if (gesture.kind !== 'stroke') return gesture;
  const [lastX, lastY] = gesture.points.at(-1) as ImagePoint;
  const isNear = Math.hypot(x - lastX, y - lastY) < gesture.radiusPx * POINT_STEP;
  return isNear ? gesture : { ...gesture, points: [...gesture.points, [x, y]] };
};

/** Preview of a drag; null for an area beside the image. */
const draftOf = ({ gesture, from, at }: Drag<Gesture>, image: ShownImage): Draft | null => {
  switch (gesture.kind) {
    case 'object': {
      const { object, grip } = gesture;
      const box = draggedBox(object.box, grip, { x: at.x - from.x, y: at.y - from.y }, image);
      return { kind: 'object', object, box };
    }
    case 'stroke': {
      const { points, radiusPx } = gesture;
      return { kind: 'outline', outline: { kind: 'stroke', points, radiusPx } };
    }
    case 'area': {
      const box = drawnBox(from, at, image);
      if (!box) return null;
      return gesture.shape === 'keep'
        ? { kind: 'kept', box }
        : { kind: 'outline', outline: { kind: gesture.shape, box } };
    }
  }
};

/** Applies the preview. */
const apply = (draft: Draft, review: Review): void => {
  switch (draft.kind) {
    case 'object':
      return review.change(draft.object, { box: draft.box });
    case 'kept':
      return review.keep(draft.box);
    case 'outline':
      return review.draw(draft.outline);
  }
};

/**
 * Selecting, moving, resizing and drawing by pointer.
 *
 * @param isPanning whether a single pointer is for the view, too
 * @param isBusy set while a pointer is not for the view
 */
export const useReviewGestures = (
  review: Review | null,
  placement: Placement | null,
  picture: Size | null,
  isPanning: { readonly current: boolean },
  isBusy: { current: boolean },
) => {
  const image = placement && picture && shownImage(picture, placement);
  const { drag, handlers } = useDrag<Gesture>({
    image,
    corner: placement,
    begin: ({ target }: PointerEvent, at) => {
      if (!review || !picture || isPanning.current) return undefined;
      const gesture = begin(target, at, review, picture);
      if (!gesture) review.select(null);
      else if (gesture.kind === 'object') review.select(gesture.object.id);
      return gesture;
    },
    isImmediate: ({ kind }) => kind === 'stroke',
    extend: extended,
    commit: (done) => {
      const draft = image && draftOf(done, image);
      if (draft && review) apply(draft, review);
    },
    isBusy,
  });
  return { draft: drag && image && draftOf(drag, image), handlers };
};
