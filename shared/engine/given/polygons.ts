import { boxArea, clipBox, outerPixels, type ImagePoint } from '../../domain/boxes';
import { boundsOf } from '../../domain/hidden-areas';
import type { Shape } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import { fillPolygon } from '../edits/hidden-areas';
import { encodeRuns } from '../pixels/runs';

/** Corners as COCO lists them: x and y in turn, in px. */
export type FlatPolygon = readonly number[];

const cornersOf = (polygon: FlatPolygon): readonly ImagePoint[] =>
  Array.from({ length: polygon.length / 2 }, (_, at) => [polygon[2 * at]!, polygon[2 * at + 1]!] as const);

/**
 * The shape of one object that consists of polygons: every pixel that one of them touches.
 *
 * @returns undefined where all of them are outside the image
 */
export const shapeOfPolygons = (polygons: readonly FlatPolygon[], size: Size): Shape | undefined => {
  const corners = polygons.map(cornersOf);
  const box = outerPixels(clipBox(boundsOf(corners.flat()), size.width, size.height));
  const mask = new Uint8Array(boxArea(box));
  for (const each of corners) fillPolygon(mask, box, each);
  return mask.includes(1) ? { kind: 'runs', box, runs: encodeRuns(mask) } : undefined;
};
