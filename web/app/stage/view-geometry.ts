import type { Size } from '#shared/domain/raster';

export interface Point {
  readonly x: number;
  readonly y: number;
}
/** Position and size of the image on the stage, in px of the stage. */
export interface Placement extends Size {
  readonly left: number;
  readonly top: number;
}

/** Zoom and position of the visible part: scale, and the offset of the image's centre from the stage's centre. */
export interface View {
  /** 1: the whole image fits. */
  readonly zoom: number;
  readonly offset: Point;
}

export const WHOLE: View = { zoom: 1, offset: { x: 0, y: 0 } };

/** Small images are enlarged to fit only up to this scale, so that they stay sharp. */
const MAX_FIT_SCALE = 2;
/** Maximum number of screen px per image px. */
const MAX_SCALE = 8;

/** Screen px per image px when the whole image fits. */
export const fitScale = (stage: Size, image: Size): number =>
  Math.min(MAX_FIT_SCALE, stage.width / image.width, stage.height / image.height);

const centred = (stage: Size, image: Size, scale: number): Placement => {
  const [width, height] = [image.width * scale, image.height * scale];
  return { width, height, left: (stage.width - width) / 2, top: (stage.height - height) / 2 };
};

export const place = (stage: Size, image: Size, { zoom, offset }: View): Placement => {
  const placement = centred(stage, image, fitScale(stage, image) * zoom);
  return { ...placement, left: placement.left + offset.x, top: placement.top + offset.y };
};

/** Position and size of a video that the browser fits into the stage by `object-fit: contain`. */
export const placeContained = (stage: Size, image: Size): Placement =>
  centred(stage, image, Math.min(stage.width / image.width, stage.height / image.height));

/** Keeps the edges of the image from moving into the stage. */
const clampOffset = (stage: number, image: number, offset: number): number => {
  const room = Math.max(0, (image - stage) / 2);
  return Math.min(room, Math.max(-room, offset));
};

const clamped = (stage: Size, image: Size, view: View): View => {
  const { width, height } = place(stage, image, view);
  return {
    zoom: view.zoom,
    offset: {
      x: clampOffset(stage.width, width, view.offset.x),
      y: clampOffset(stage.height, height, view.offset.y),
    },
  };
};

export const pan = (stage: Size, image: Size, view: View, by: Point): View =>
  clamped(stage, image, { ...view, offset: { x: view.offset.x + by.x, y: view.offset.y + by.y } });

/**
 * Zooms and keeps the point under `at` in place.
 *
 * @param at in px of the stage, from its centre
 */
export const zoomAt = (
  stage: Size,
  image: Size,
  view: View,
  { factor, at }: { readonly factor: number; readonly at: Point },
): View => {
  const max = Math.max(1, MAX_SCALE / fitScale(stage, image));
  const zoom = Math.min(max, Math.max(1, view.zoom * factor));
  const real = zoom / view.zoom;
  const offset = { x: at.x - (at.x - view.offset.x) * real, y: at.y - (at.y - view.offset.y) * real };
  return clamped(stage, image, { zoom, offset });
};
