import type { ObjectClass } from '../../catalogue/classes';
import { boxAround } from '../../domain/boxes';
import { cornerBounds, type Corner, type Corners } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import type { Tensor } from '../../ports/inference';
import type { Head, DetectionHead, RawDetection } from './head';
import { hasDims, inputOf, type Recognise } from './recognise-graph';

/** Network px per output cell. */
const STRIDE = 4;

/** The cells of an output map. */
interface Cells {
  readonly columns: number;
  readonly count: number;
}

const cellsOf = (net: Size): Cells => {
  const columns = net.width / STRIDE;
  return { columns, count: columns * (net.height / STRIDE) };
};

/** Calls `visit` for each cell of a map that reaches the minimum score. @param scores those of the map */
const forEachPeak = (
  scores: Float32Array,
  min: number,
  { columns, count }: Cells,
  visit: (cell: number, column: number, row: number) => void,
): void => {
  for (let cell = 0; cell < count; cell++) {
    if (!((scores[cell] as number) >= min)) continue;
    const column = cell % columns;
    visit(cell, column, (cell - column) / columns);
  }
};

/**
 * Decodes CenterFace (Xu et al. 2019, arXiv:1911.03599): faces as centre points.
 *
 * Outputs: heat map `[1, 1, h/4, w/4]`, 0..1; logarithm of height and width in cells `[1, 2, …]`; offset of the centre
 * from the cell's middle, down and to the right, in cells, `[1, 2, …]`. Every cell above the minimum becomes a box:
 * merging keeps one for each face.
 */
const decodeCenterFace: DetectionHead = (outputs, net, minimum) => {
  const min = minimum.face;
  if (min === undefined) return [];
  const [heat, scale, offset] = outputs as readonly [Tensor, Tensor, Tensor];
  const cells = cellsOf(net);
  const found: RawDetection[] = [];
  forEachPeak(heat.data, min, cells, (cell, column, row) => {
    const y = (row + (offset.data[cell] as number) + 0.5) * STRIDE;
    const x = (column + (offset.data[cells.count + cell] as number) + 0.5) * STRIDE;
    const halfHeight = (Math.exp(scale.data[cell] as number) * STRIDE) / 2;
    const halfWidth = (Math.exp(scale.data[cells.count + cell] as number) * STRIDE) / 2;
    const box = boxAround(x, y, halfWidth, halfHeight);
    found.push({ objectClass: 'face', score: heat.data[cell] as number, box });
  });
  return found;
};

/** Planes of the three outputs: heat map, sizes, offsets. */
const CENTERFACE_PLANES = [1, 2, 2] as const;

const recogniseCenterFace: Recognise = ({ imageInput, outputs }) => {
  const input = inputOf(imageInput, 1, { maxEnlargement: 2 });
  const isInOrder = CENTERFACE_PLANES.every((planes, i) => {
    const output = outputs[i];
    return output !== undefined && hasDims(output, undefined, planes, undefined, undefined);
  });
  if (!input || !isInOrder || outputs.length > CENTERFACE_PLANES.length + 1) return undefined;
  return {
    input,
    outputs: outputs.slice(0, CENTERFACE_PLANES.length).map(({ name }) => name),
    classes: ['face'],
    threshold: 0.4,
  };
};

export const centerface: Head = {
  role: 'detector',
  decode: decodeCenterFace,
  recognise: recogniseCenterFace,
};

/**
 * Network px by which right edges are moved outwards. Measured: for small and medium objects the median right edge ends
 * 0.5 to 2 px too early; left and upper edges are correct to 0.7 px. Edges are only moved outwards, so no part of an
 * object is uncovered.
 */
const RIGHT_EDGE = 1;
/** Our class for each score plane: COCO's person, bicycle, car, motorcycle, bus, train, truck. */
const PLANES: readonly ObjectClass[] = ['person', ...Array.from({ length: 6 }, () => 'vehicle' as const)];

/**
 * Decodes CenterNet (Zhou et al. 2019, arXiv:1904.07850): centre heat maps for each class, with distances to the four
 * sides.
 *
 * Outputs: scores `[1, 7, h/4, w/4]`, 0..1, 0 where a neighbour scores higher; distances to left, top, right and bottom
 * side `[1, 4, h/4, w/4]`, in network px.
 */
const decodeCenterNet: DetectionHead = (outputs, net, minimum) => {
  const scores = (outputs[0] as Tensor).data;
  const sides = (outputs[1] as Tensor).data;
  const cells = cellsOf(net);
  const found: RawDetection[] = [];
  PLANES.forEach((objectClass, plane) => {
    const min = minimum[objectClass];
    if (min === undefined) return;
    const ofClass = scores.subarray(plane * cells.count, (plane + 1) * cells.count);
    forEachPeak(ofClass, min, cells, (cell, column, row) => {
      const [x, y] = [column * STRIDE, row * STRIDE];
      const side = (number: number): number => sides[number * cells.count + cell] as number;
      const box = { x1: x - side(0), y1: y - side(1), x2: x + side(2) + RIGHT_EDGE, y2: y + side(3) };
      found.push({ objectClass, score: ofClass[cell] as number, box });
    });
  });
  return found;
};

export const centernet: Head = { role: 'detector', decode: decodeCenterNet };

/**
 * Decodes plates as centre points with four corners each (the head of `models/train/license-plates`).
 *
 * Outputs: peaks `[1, 1, h/4, w/4]`, 0..1, 0 where a neighbour scores higher; corners `[1, 8, h/4, w/4]`, x and y of
 * upper left, upper right, lower right, lower left, in network px from the cell's centre.
 */
const decodePlateCorners: DetectionHead = (outputs, net, minimum) => {
  const min = minimum['license-plate'];
  if (min === undefined) return [];
  const peaks = (outputs[0] as Tensor).data;
  const offsets = (outputs[1] as Tensor).data;
  const cells = cellsOf(net);
  const found: RawDetection[] = [];
  forEachPeak(peaks, min, cells, (cell, column, row) => {
    const [x, y] = [(column + 0.5) * STRIDE, (row + 0.5) * STRIDE];
    const cornerAt = (i: number): Corner => [
      x + (offsets[2 * i * cells.count + cell] as number),
      y + (offsets[(2 * i + 1) * cells.count + cell] as number),
    ];
    const corners: Corners = [cornerAt(0), cornerAt(1), cornerAt(2), cornerAt(3)];
    const score = peaks[cell] as number;
    found.push({ objectClass: 'license-plate', score, box: cornerBounds(corners), corners });
  });
  return found;
};

export const plateCorners: Head = { role: 'detector', decode: decodePlateCorners };
