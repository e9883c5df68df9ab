import type { ProbabilityMap } from './probability-map';

/**
 * Closes the holes of a mask: a windscreen is part of the car, although it is transparent.
 *
 * Works in place: cells below the threshold that are not connected with the map's edge by such cells become 1.
 */
export const fillHoles = ({ data: map, fit }: ProbabilityMap, threshold: number): void => {
  const { netWidth: width, netHeight: height } = fit;
  const isOpen = new Uint8Array(map.length);
  const waiting: number[] = [];
  const visit = (cell: number): void => {
    if (isOpen[cell] || (map[cell] as number) >= threshold) return;
    isOpen[cell] = 1;
    waiting.push(cell);
  };
  for (let x = 0; x < width; x++) [x, map.length - 1 - x].forEach(visit);
  for (let y = 0; y < height; y++) [y * width, (y + 1) * width - 1].forEach(visit);
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const x = cell % width;
    if (x > 0) visit(cell - 1);
    if (x < width - 1) visit(cell + 1);
    if (cell >= width) visit(cell - width);
    if (cell < map.length - width) visit(cell + width);
  }
  for (let cell = 0; cell < map.length; cell++) {
    if (!isOpen[cell] && (map[cell] as number) < threshold) map[cell] = 1;
  }
};
