import { boxArea, outerPixels, type Box } from '../../domain/boxes';
import type { Shape } from '../../domain/plan';
import { fillShape } from '../masks/fill-shape';

/** The share of a box, in image px, that shapes cover together, 0..1. */
export const coveredShare = (box: Box, shapes: readonly Shape[]): number => {
  const pixels = outerPixels(box);
  const covered = new Uint8Array(boxArea(pixels));
  for (const shape of shapes) fillShape(shape, pixels, covered);
  return covered.reduce((sum, value) => sum + (value === 255 ? 1 : 0), 0) / covered.length;
};
