import { growBox, moveBox, outerPixels } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import type { Shape } from '../../domain/plan';
import { cutAround } from '../pixels/around';
import { createPyramid, type Pyramid } from '../pixels/pyramid';
import { segment } from './segment';

/** Surroundings of an object, as a share of its sides: more than any mask network sees of them. */
const SURROUNDINGS = 0.5;

const moveMask = (shape: Shape, x: number, y: number): Shape =>
  shape.kind === 'runs' ? { ...shape, box: moveBox(shape.box, x, y) } : shape;

/**
 * Makes masks as `segment` does. An object that lies on a panorama's seam is cut out with its surroundings on both
 * sides; one that was found at a pole has no mask, because no network knows how a panorama shows it.
 */
export const segmentAround = async (
  ...[pyramid, detections, run]: Parameters<typeof segment>
): ReturnType<typeof segment> => {
  const isPlain = ({ whole, atPole }: Detection): boolean => !whole && !atPole;
  const masks = new Map(await segment(pyramid, detections.filter(isPlain), run));
  for (const detection of detections) {
    const { whole, atPole } = detection;
    if (!whole || atPole) continue;
    const area = outerPixels(growBox(whole, SURROUNDINGS));
    const part = { ...area, y1: Math.max(0, area.y1), y2: Math.min(pyramid.height, area.y2) };
    const { masks: _ofOtherPx, ...object } = detection;
    const moved = { ...object, box: moveBox(whole, -part.x1, -part.y1) };
    const cutOut: Pyramid = createPyramid(cutAround(pyramid.level(0), part));
    const mask = (await segment(cutOut, [moved], run)).get(moved);
    if (mask) masks.set(detection, moveMask(mask, part.x1, part.y1));
  }
  return masks;
};
