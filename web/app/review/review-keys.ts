import type { KeyboardEvent } from 'react';
import { clipBox, toBbox, type Size } from '#shared/domain/boxes';
import { middleOf, placedBox, shownImage } from '../boxes/box-geometry';
import type { Placement } from '../stage/view-geometry';
import { TOOL_KEYS } from './tools';
import type { Review } from './use-review';

type Actions = Readonly<Record<string, () => void>>;

/** Places an area in the centre of the visible part, so that drawing needs no pointer. */
const placeArea = (review: Review, stage: Size, placement: Placement, picture: Size): void => {
  const { tool, brushShare } = review.options;
  const image = shownImage(picture, placement);
  const scale = image.pxPerScreenPx;
  const [x1, y1] = [-placement.left * scale, -placement.top * scale];
  const ofStage = { x1, y1, x2: x1 + stage.width * scale, y2: y1 + stage.height * scale };
  const visible = clipBox(ofStage, picture.width, picture.height);
  const box = placedBox(visible, image);
  const { x, y } = middleOf(visible);
  if (!box) return;
  switch (tool) {
    case 'select':
      return;
    case 'keep':
      return review.keep(box);
    case 'brush':
      return review.draw({
        shape: 'stroke',
        points: [[x, y]],
        radius: brushShare * Math.max(picture.width, picture.height),
      });
    case 'box':
    case 'ellipse':
      return review.draw({ shape: tool, bbox: toBbox(box) });
  }
};

/** Keyboard shortcuts while the image or an object in it has the focus. */
export const reviewKeys = (
  review: Review,
  stage: Size | null,
  placement: Placement | null,
  picture: Size | null,
): Actions => ({
  Escape: () => {
    if (review.options.tool !== 'select') review.setOptions({ tool: 'select' });
    else review.select(null);
  },
  ...(review.options.tool !== 'select' &&
    stage &&
    placement &&
    picture && { Enter: () => placeArea(review, stage, placement, picture) }),
});

/** Key that starts and ends editing. */
export const toolKeys = ({ options, setOptions }: Review): Actions => ({
  e: () => setOptions({ isOn: !options.isOn }),
  ...Object.fromEntries(
    Object.entries(TOOL_KEYS).map(([key, tool]) => [key, () => setOptions({ isOn: true, tool })]),
  ),
});

/** Whether the key event belongs to the image itself or to an object in it. */
export const isOnPicture = ({ target, currentTarget }: KeyboardEvent): boolean =>
  target === currentTarget || (target instanceof Element && target.matches('[data-object]'));
