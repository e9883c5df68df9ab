import type { Pixels } from './pixels';
import type { DetectionJson } from './upload';

const iou = (a: DetectionJson['bbox'], b: DetectionJson['bbox']): number => {
  const width = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]));
  const height = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  const area = (box: DetectionJson['bbox']): number => (box[2] - box[0]) * (box[3] - box[1]);
  return (width * height) / (area(a) + area(b) - width * height);
};

export interface Agreement {
  readonly iou: number;
  readonly scoreDifference: number;
}

/** For each detection of `a`: how well the best detection of the same class in `b` matches it. */
export const agreements = (a: readonly DetectionJson[], b: readonly DetectionJson[]): Agreement[] =>
  a.map((one) => {
    const candidates = b
      .filter((other) => other.type_label === one.type_label)
      .map((other) => ({
        iou: iou(one.bbox, other.bbox),
        scoreDifference: Math.abs(one.score - other.score),
      }))
      .sort((x, y) => y.iou - x.iou);
    return candidates[0] ?? { iou: 0, scoreDifference: 1 };
  });

/** Difference of two masks of one image. */
export interface MaskDifference {
  /** Share of pixels that differ. */
  readonly share: number;
  /** Number of different pixels without an edge of the first mask within `edgePx`. */
  readonly awayFromEdges: number;
}

const hasEdgeNear = ({ width, height, data }: Pixels, x: number, y: number, edgePx: number): boolean => {
  const here = data[(y * width + x) * 3];
  for (let dy = -edgePx; dy <= edgePx; dy += 1) {
    for (let dx = -edgePx; dx <= edgePx; dx += 1) {
      const [nx, ny] = [x + dx, y + dy];
      if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
      if (data[(ny * width + nx) * 3] !== here) return true;
    }
  }
  return false;
};

/** Compares two binary masks. */
export const compareMasks = (a: Pixels, b: Pixels, edgePx: number): MaskDifference => {
  let [different, awayFromEdges] = [0, 0];
  for (let i = 0; i < a.width * a.height; i += 1) {
    if (a.data[i * 3] === b.data[i * 3]) continue;
    different += 1;
    if (!hasEdgeNear(a, i % a.width, Math.floor(i / a.width), edgePx)) awayFromEdges += 1;
  }
  return { share: different / (a.width * a.height), awayFromEdges };
};
