import type { Box } from '#shared/domain/boxes';
import { clamp } from '#shared/domain/clamp';
import type { Size } from '#shared/domain/size';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Smaller ones are slips of the hand, and hold nothing that could be followed. */
export const MIN_SIDE_PX = 8;

/** Initial box for drawing by keyboard: a quarter of the frame, in its centre. */
export const middleBox = ({ width, height }: Size): Box => ({
  x1: width * 0.375,
  y1: height * 0.375,
  x2: width * 0.625,
  y2: height * 0.625,
});

/** Moves a box as far as the picture goes. */
export const movedBox = ({ x1, y1, x2, y2 }: Box, by: Point, { width, height }: Size): Box => {
  const x = clamp(by.x, -x1, width - x2);
  const y = clamp(by.y, -y1, height - y2);
  return { x1: x1 + x, y1: y1 + y, x2: x2 + x, y2: y2 + y };
};

/** Moves a box's lower right corner. */
export const resizedBox = (box: Box, by: Point, { width, height }: Size): Box => ({
  ...box,
  x2: clamp(box.x2 + by.x, Math.min(width, box.x1 + MIN_SIDE_PX), width),
  y2: clamp(box.y2 + by.y, Math.min(height, box.y1 + MIN_SIDE_PX), height),
});

/** The box between two points of the picture, or beside it; undefined for one that is too small. */
export const boxBetween = (a: Point, b: Point, { width, height }: Size): Box | undefined => {
  const box = {
    x1: clamp(Math.min(a.x, b.x), 0, width),
    y1: clamp(Math.min(a.y, b.y), 0, height),
    x2: clamp(Math.max(a.x, b.x), 0, width),
    y2: clamp(Math.max(a.y, b.y), 0, height),
  };
  return box.x2 - box.x1 >= MIN_SIDE_PX && box.y2 - box.y1 >= MIN_SIDE_PX ? box : undefined;
};

/** Where a picture lies that is fitted into the middle of a stage, as `object-fit: contain` does. */
export const containedIn = (
  stage: Size,
  picture: Size,
): Size & { readonly left: number; readonly top: number } => {
  const scale = Math.min(stage.width / picture.width, stage.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { width, height, left: (stage.width - width) / 2, top: (stage.height - height) / 2 };
};
