import type { PointerEvent, KeyboardEvent } from 'react';
import { toBbox, type Box, type ImagePoint, clipBox } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import type { EditableObject } from '#shared/domain/edits/list-objects';
import { type DrawnShape, type Stroke, drawnShapeBounds } from '#shared/domain/edits/edits';
import {
  type Grip,
  type ShownImage,
  areasOf,
  draggedBox,
  drawnBox,
  imagePoint,
  shownImage,
  middleOf,
  placedBox,
} from '../boxes/box-geometry';
import { handleAt } from '../boxes/box-parts';
import { canClose, withCorner } from '../boxes/corners';
import { useDrag, type Drag } from '../boxes/use-drag';
import type { Placement, Point } from '../stage/view-geometry';
import { TOOL_KEYS } from './tools';
import type { Review } from './use-review';

type Actions = Readonly<Record<string, () => void>>;

/** An image in the editor, as it is shown. */
export interface EditedView {
  readonly image: ShownImage;
  /** In px of the image. */
  readonly visible: Box;
  /** The point of the image at a point of the stage. */
  pointAt(position: Point): Point;
}

/** A flat image on a stage. */
export const flatView = (
  stage: Size | null,
  size: Size | null,
  placement: Placement | null,
): EditedView | null => {
  if (!stage || !size || !placement) return null;
  const image = shownImage(size, placement);
  const scale = image.pxPerScreenPx;
  const [x1, y1] = [-placement.left * scale, -placement.top * scale];
  const ofStage = { x1, y1, x2: x1 + stage.width * scale, y2: y1 + stage.height * scale };
  return {
    image,
    visible: clipBox(ofStage, size.width, size.height),
    pointAt: (position) => imagePoint(position, image, placement),
  };
};

const closeCorners = (review: Review): void => {
  if (canClose(review.corners)) review.hideAlways([{ points: review.corners }]);
};

/** Places an area in the centre of the visible part, so that drawing needs no pointer. */
const placeArea = (review: Review, { image, visible }: EditedView): void => {
  const { tool, brushShare } = review.options;
  const box = placedBox(visible, image);
  const { x, y } = middleOf(visible);
  if (!box) return;
  switch (tool) {
    case 'select':
      return;
    case 'keep':
      return review.keep(box);
    case 'always':
      if (review.corners.length === 0) return review.hideAlways(areasOf(box, image));
      return closeCorners(review);
    case 'brush':
      return review.draw({
        shape: 'stroke',
        points: [[x, y]],
        radius: brushShare * Math.max(image.width, image.height),
      });
    case 'box':
    case 'ellipse':
      return review.draw({ shape: tool, bbox: toBbox(box) });
  }
};

/** The keys 1 to 9 give the selected object a reason. */
const reasonKeys = ({ codes, selected, change }: Review): Actions =>
  selected && selected.origin !== 'kept'
    ? Object.fromEntries(
        codes.slice(0, 9).map(({ code }, i) => [`${i + 1}`, () => change(selected, { reason: code })]),
      )
    : {};

/** Keyboard shortcuts while the image or an object in it has the focus. */
export const reviewKeys = (review: Review, view: EditedView | null): Actions => ({
  Escape: () => {
    if (review.corners.length > 0) review.setCorners([]);
    else if (review.options.tool !== 'select') review.setOptions({ tool: 'select' });
    else review.select(null);
  },
  ...reasonKeys(review),
  ...(review.options.tool !== 'select' && view && { Enter: () => placeArea(review, view) }),
});

/** Key that starts and ends editing. */
export const toolKeys = ({ options, setOptions }: Review): Actions => ({
  e: () => setOptions({ isOn: !options.isOn }),
  ...Object.fromEntries(
    Object.entries(TOOL_KEYS).map(([key, tool]) => [key, () => setOptions({ isOn: true, tool })]),
  ),
});

/** Whether the key event belongs to the image itself or to an object in it. */
export const isOnImage = ({ target, currentTarget }: KeyboardEvent): boolean =>
  target === currentTarget || (target instanceof Element && target.matches('[data-object]'));

/** What the current press of the pointer does. */
type Gesture =
  | { readonly kind: 'object'; readonly object: EditableObject; readonly grip: Grip }
  | { readonly kind: 'area'; readonly shape: 'box' | 'ellipse' | 'keep' | 'always' }
  | { readonly kind: 'stroke'; readonly stroke: Stroke };

/** Preview of the change that releasing the pointer would apply. */
export type Draft =
  | { readonly kind: 'object'; readonly object: EditableObject; readonly box: Box }
  | { readonly kind: 'outline' | 'kept' | 'always'; readonly outline: DrawnShape };

/** Closer points of a stroke make no difference, as a share of the brush's radius. */
const POINT_STEP = 0.25;

const objectAt = (target: EventTarget, objects: readonly EditableObject[]): EditableObject | undefined => {
  const id = target instanceof Element ? target.closest('[data-object]')?.getAttribute('data-object') : null;
  return objects.find((object) => String(object.id) === id);
};

/** The gesture that begins with a press; undefined where the press is for the view. */
const begin = (target: EventTarget, at: Point, review: Review, size: Size): Gesture | undefined => {
  const { selected, objects, options } = review;
  const handle = handleAt(target);
  if (handle && selected) return { kind: 'object', object: selected, grip: handle };
  switch (options.tool) {
    case 'select': {
      const object = objectAt(target, objects);
      return object && { kind: 'object', object, grip: 'box' };
    }
    case 'brush': {
      const radius = options.brushShare * Math.max(size.width, size.height);
      return { kind: 'stroke', stroke: { shape: 'stroke', points: [[at.x, at.y]], radius } };
    }
    case 'box':
    case 'ellipse':
    case 'keep':
    case 'always':
      return { kind: 'area', shape: options.tool };
  }
};

const extended = (gesture: Gesture, { x, y }: Point): Gesture => {
  if (gesture.kind !== 'stroke') return gesture;
  const { stroke } = gesture;
  const [lastX, lastY] = stroke.points.at(-1) as ImagePoint;
  const isNear = Math.hypot(x - lastX, y - lastY) < stroke.radius * POINT_STEP;
  return isNear ? gesture : { ...gesture, stroke: { ...stroke, points: [...stroke.points, [x, y]] } };
};

/** Preview of a drag; null for an area next to the image. */
const draftOf = ({ gesture, from, at }: Drag<Gesture>, image: ShownImage): Draft | null => {
  switch (gesture.kind) {
    case 'object': {
      const { object, grip } = gesture;
      const box = draggedBox(object.box, grip, { x: at.x - from.x, y: at.y - from.y }, image);
      return { kind: 'object', object, box };
    }
    case 'stroke':
      return { kind: 'outline', outline: gesture.stroke };
    case 'area': {
      const box = drawnBox(from, at, image);
      if (!box) return null;
      const bbox = toBbox(box);
      const { shape } = gesture;
      if (shape === 'keep' || shape === 'always') {
        return { kind: shape === 'keep' ? 'kept' : shape, outline: { shape: 'box', bbox } };
      }
      return { kind: 'outline', outline: { shape, bbox } };
    }
  }
};

/** Applies the preview. */
const apply = (draft: Draft, review: Review, image: Size): void => {
  switch (draft.kind) {
    case 'object':
      return review.change(draft.object, { bbox: toBbox(draft.box) });
    case 'kept':
      return review.keep(drawnShapeBounds(draft.outline));
    case 'always':
      return review.hideAlways(areasOf(drawnShapeBounds(draft.outline), image));
    case 'outline':
      return review.draw(draft.outline);
  }
};

/**
 * Selecting, moving, resizing and drawing by pointer.
 *
 * @param pointer `isPanning`: whether a single pointer is for the view, too; `isBusy` is set while it is not
 */
export const useReviewGestures = (
  review: Review | null,
  view: EditedView | null,
  { isPanning, isBusy }: Record<'isPanning' | 'isBusy', { current: boolean }>,
) => {
  const image = view?.image;
  const { drag, handlers } = useDrag<Gesture>({
    pointAt: (position) => view?.pointAt(position),
    begin: ({ target }: PointerEvent, at) => {
      if (!review || !image || isPanning.current) return undefined;
      const gesture = begin(target, at, review, image);
      if (!gesture) review.select(null);
      else if (gesture.kind === 'object') review.select(gesture.object.id);
      return gesture;
    },
    isImmediate: ({ kind }) => kind === 'stroke',
    extend: extended,
    commit: (done) => {
      const draft = image && draftOf(done, image);
      if (draft && review) apply(draft, review, image);
    },
    onPress: ({ gesture, at }) => {
      // A sphere shows a polygon's sides as curves.
      if (!review || !image || image.wraps || gesture.kind !== 'area' || gesture.shape !== 'always') return;
      const corners = withCorner(review.corners, at, image);
      if (corners === 'closed') closeCorners(review);
      else review.setCorners(corners);
    },
    isBusy,
  });
  return { draft: drag && image ? draftOf(drag, image) : null, handlers };
};
