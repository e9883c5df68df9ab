import type { Box } from '../boxes';
import type { IgnoredArea } from './edits';

export const ignoredArea = ({ x1, y1, x2, y2 }: Box): IgnoredArea => ({
  topLeftX: x1,
  topLeftY: y1,
  width: x2 - x1,
  height: y2 - y1,
});

export const ignoredBox = ({ topLeftX, topLeftY, width, height }: IgnoredArea): Box => ({
  x1: topLeftX,
  y1: topLeftY,
  x2: topLeftX + width,
  y2: topLeftY + height,
});

/** The whole pixels that lie completely in an area: only they are left unchanged. */
export const wholePixels = (area: IgnoredArea): IgnoredArea => {
  const { x1, y1, x2, y2 } = ignoredBox(area);
  const [left, top] = [Math.ceil(x1), Math.ceil(y1)];
  return {
    topLeftX: left,
    topLeftY: top,
    width: Math.max(0, Math.floor(x2) - left),
    height: Math.max(0, Math.floor(y2) - top),
  };
};
