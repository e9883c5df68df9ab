import type { Box } from '../boxes';
import type { IgnoreArea } from '../options';

/** The whole pixels that lie completely in a box: only they are left unchanged. */
export const ignoredArea = (box: Box): IgnoreArea => {
  const [x, y] = [Math.ceil(box.x1), Math.ceil(box.y1)];
  return {
    x,
    y,
    width: Math.max(0, Math.floor(box.x2) - x),
    height: Math.max(0, Math.floor(box.y2) - y),
  };
};
