import { boxHeight, boxWidth, outerPixels } from '../../domain/boxes';
import type { Shape } from '../../domain/plan';
import { boundsFromView, toView, type PoleView } from '../pixels/pole-view';
import { encodeRuns } from '../pixels/runs';
import { fillShape, shapeBounds } from './fill-shape';

/**
 * Maps a shape of a pole's view to the panorama: all its px whose middle lies in a px that the shape touches, or next to
 * one, so that rounding uncovers nothing.
 *
 * A box around the pole becomes a band over the whole width there, and its lower edge follows the box.
 */
export const shapeAtPole = (shape: Shape, view: PoleView): Shape => {
  const bounds = outerPixels(shapeBounds(shape));
  const window = { x1: bounds.x1 - 1, y1: bounds.y1 - 1, x2: bounds.x2 + 1, y2: bounds.y2 + 1 };
  const [across, down] = [boxWidth(window), boxHeight(window)];
  const alpha = new Uint8Array(across * down);
  fillShape(shape, window, alpha);
  const touches = (u: number, v: number): boolean =>
    u >= 0 && v >= 0 && u < across && v < down && alpha[v * across + u] !== 0;
  const box = boundsFromView(view, window);
  const width = boxWidth(box);
  const mask = new Uint8Array(width * boxHeight(box));
  for (let i = 0; i < mask.length; i++) {
    const x = box.x1 + (i % width) + 0.5;
    const y = box.y1 + Math.floor(i / width) + 0.5;
    const place = toView(view, [x, y]);
    if (!place) continue;
    const [left, upper] = [Math.round(place[0] - window.x1) - 1, Math.round(place[1] - window.y1) - 1];
    const isCovered =
      touches(left, upper) ||
      touches(left + 1, upper) ||
      touches(left, upper + 1) ||
      touches(left + 1, upper + 1);
    if (isCovered) mask[i] = 1;
  }
  return { kind: 'runs', box, runs: encodeRuns(mask) };
};
