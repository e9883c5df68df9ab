import {
  type Box,
  boxArea,
  boxHeight,
  boxWidth,
  clipBox,
  type ImagePoint,
  outerPixels,
} from '../../domain/boxes';
import { boundsOf, cornersIn, requireInside, type HiddenArea } from '../../domain/hidden-areas';
import type { ImageOptions } from '../../domain/options';
import type { AreaRegion, RedactionPlan, Shape, TimeRange } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import type { VideoFrame } from '../../ports/video';
import { encodeRuns } from '../pixels/runs';
import { MIN_CELL_PX } from '../redact/redactors';
import { isNear, rangeOf } from './edit-range';
import { fillSegment } from './stroke';

/** An area of a request, for images of one size. */
export interface PlannedArea {
  readonly region: AreaRegion;
  /** Undefined: all of a video. */
  readonly range: TimeRange | undefined;
}

/** Fills the pixels whose centre lies in a polygon. @param mask over `window`, row-major */
const fillInside = (
  mask: Uint8Array,
  window: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number },
  corners: readonly ImagePoint[],
): void => {
  const width = boxWidth(window);
  for (let row = 0; row < boxHeight(window); row++) {
    const y = window.y1 + row + 0.5;
    const crossings = corners
      .flatMap(([ax, ay], i) => {
        const [bx, by] = corners[(i + 1) % corners.length] as ImagePoint;
        return ay <= y === by <= y ? [] : [ax + ((y - ay) / (by - ay)) * (bx - ax)];
      })
      .sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil((crossings[i] as number) - 0.5 - window.x1));
      const to = Math.min(width, Math.ceil((crossings[i + 1] as number) - 0.5 - window.x1));
      if (from < to) mask.fill(1, row * width + from, row * width + to);
    }
  }
};

/** Fills every pixel that a polygon touches. @param mask over `window`, row-major */
export const fillPolygon = (mask: Uint8Array, window: Box, corners: readonly ImagePoint[]): void => {
  fillInside(mask, window, corners);
  corners.forEach((corner, i) => {
    fillSegment(mask, window, [corner, corners[(i + 1) % corners.length] as ImagePoint], 0);
  });
};

/**
 * The shape of a polygon: every pixel that it touches.
 *
 * The result is of kind `runs`, not of a new kind, so that other versions can read stored plans.
 */
const polygonShape = (corners: readonly ImagePoint[], size: Size): Shape => {
  const box = outerPixels(clipBox(boundsOf(corners), size.width, size.height));
  const mask = new Uint8Array(boxArea(box));
  fillPolygon(mask, box, corners);
  return { kind: 'runs', box, runs: encodeRuns(mask) };
};

const regionOf = (area: HiddenArea, size: Size): AreaRegion => {
  const corners = cornersIn(area, size);
  const box = clipBox(boundsOf(corners), size.width, size.height);
  return {
    detection: { objectClass: 'area', score: 1, box },
    shape: 'points' in area ? polygonShape(corners, size) : { kind: 'box', box },
    featherPx: 0,
    cellPx: Math.max(MIN_CELL_PX, boxWidth(box), boxHeight(box)),
    ...(area.method && { method: area.method }),
    ...(area.reason !== undefined && { reason: area.reason }),
  };
};

/**
 * Plans the areas that are always hidden in images of one size.
 *
 * @throws UnreadableFile where an area lies outside
 */
export const planAreas = (
  { hides = [] }: Pick<ImageOptions, 'hides'>,
  size: Size,
): readonly PlannedArea[] => {
  requireInside(hides, size);
  return hides.map((area) => ({ region: regionOf(area, size), range: rangeOf(area) }));
};

/**
 * The plan with the areas to hide.
 *
 * @param frame of a video: in doubt an area is hidden in it, too; an image has all of them
 */
export const withAreas = (
  plan: RedactionPlan,
  areas: readonly PlannedArea[],
  frame?: Pick<VideoFrame, 'timestampUs' | 'durationUs'>,
): RedactionPlan => {
  const inForce = areas.filter(({ range }) => !frame || !range || isNear(frame, range));
  return inForce.length === 0 ? plan : { ...plan, areas: inForce.map(({ region }) => region) };
};
