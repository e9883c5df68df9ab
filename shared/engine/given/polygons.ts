import { boxArea, clipBox, outerPixels, type Box, type ImagePoint } from '../../domain/boxes';
import type { Shape } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import { fillPolygon } from '../edits/hidden-areas';
import { encodeRuns } from '../pixels/runs';

/** Corners as COCO lists them: x and y in turn, in px. */
export type FlatPolygon = readonly number[];

const cornersOf = (polygon: FlatPolygon): readonly ImagePoint[] =>
  Array.from({ length: polygon.length / 2 }, (_, at) => [polygon[2 * at]!, polygon[2 * at + 1]!] as const);

/** Whole pixels around all of the polygons, inside the image. */
export const boundsOfPolygons = (polygons: readonly FlatPolygon[], { width, height }: Size): Box => {
  const bounds = { x1: Infinity, y1: Infinity, x2: -Infinity, y2: -Infinity };
  for (const polygon of polygons) {
    for (let at = 0; at < polygon.length; at += 2) {
      bounds.x1 = Math.min(bounds.x1, polygon[at]!);
      bounds.x2 = Math.max(bounds.x2, polygon[at]!);
      bounds.y1 = Math.min(bounds.y1, polygon[at + 1]!);
      bounds.y2 = Math.max(bounds.y2, polygon[at + 1]!);
    }
  }
  return outerPixels(clipBox(bounds, width, height));
};

/**
 * The shape of one object that consists of polygons: every pixel that one of them touches.
 *
 * @param box see `boundsOfPolygons`
 * @returns undefined where all of them are outside the image
 */
export const shapeOfPolygons = (polygons: readonly FlatPolygon[], box: Box): Shape | undefined => {
  const corners = polygons.map(cornersOf);
  const mask = new Uint8Array(boxArea(box));
  for (const each of corners) fillPolygon(mask, box, each);
  return mask.includes(1) ? { kind: 'runs', box, runs: encodeRuns(mask) } : undefined;
};
