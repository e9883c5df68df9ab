import type { Head, DetectionHead, RawDetection } from './head';
import type { Tensor } from '../../ports/inference';
import type { ObjectClass } from '../../catalogue/classes';

/** Network px per output cell. */
const STRIDE = 4;
/**
 * Network px by which right edges are moved outwards. Measured: for small and medium objects the median right edge ends
 * 0.5 to 2 px too early; left and upper edges are correct to 0.7 px. Edges are only moved outwards, so no part of an
 * object is uncovered.
 */
const RIGHT_EDGE = 1;
/** Our class for each score plane: COCO's person, bicycle, car, motorcycle, bus, train, truck. */
const PLANES: readonly ObjectClass[] = [
  'person',
  'vehicle',
  'vehicle',
  'vehicle',
  'vehicle',
  'vehicle',
  'vehicle',
];

/**
 * Decodes CenterNet (Zhou et al. 2019, arXiv:1904.07850): centre heat maps for each class, with distances to the four
 * sides.
 *
 * Outputs: scores `[1, 7, h/4, w/4]`, 0..1, 0 where a neighbour scores higher; distances to left, top, right and bottom
 * side `[1, 4, h/4, w/4]`, in network px.
 */
const decodeCenterNet: DetectionHead = (outputs, netWidth, netHeight, minimum) => {
  const scores = (outputs[0] as Tensor).data;
  const sides = (outputs[1] as Tensor).data;
  const columns = netWidth / STRIDE;
  const rows = netHeight / STRIDE;
  const cells = columns * rows;
  const found: RawDetection[] = [];
  PLANES.forEach((objectClass, plane) => {
    const min = minimum[objectClass];
    if (min === undefined) return;
    const offset = plane * cells;
    for (let cell = 0; cell < cells; cell++) {
      const score = scores[offset + cell] as number;
      if (score < min) continue;
      const x = cell % columns;
      const y = (cell - x) / columns;
      found.push({
        objectClass,
        score,
        box: {
          x1: x * STRIDE - (sides[cell] as number),
          y1: y * STRIDE - (sides[cells + cell] as number),
          x2: x * STRIDE + (sides[2 * cells + cell] as number) + RIGHT_EDGE,
          y2: y * STRIDE + (sides[3 * cells + cell] as number),
        },
      });
    }
  });
  return found;
};

export const centernet: Head = { role: 'detector', decode: decodeCenterNet };
