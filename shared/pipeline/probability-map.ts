import { boxHeight, boxWidth, type Box } from './boxes';
import type { Letterbox } from './letterbox';

/** A probability map with its place in the picture. */
export interface ProbabilityMap {
  readonly data: Float32Array;
  readonly fit: Letterbox;
}

/** The maps' columns (or rows) next to each image px, with the weight of the second. */
interface Steps {
  readonly near: Int32Array;
  readonly far: Int32Array;
  readonly weight: Float32Array;
}

const planSteps = (first: number, count: number, origin: number, scale: number, length: number): Steps => {
  const near = new Int32Array(count);
  const far = new Int32Array(count);
  const weight = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const at = Math.min(Math.max((first + i + 0.5 - origin) * scale - 0.5, 0), length - 1);
    near[i] = Math.floor(at);
    far[i] = Math.min(Math.floor(at) + 1, length - 1);
    weight[i] = at - Math.floor(at);
  }
  return { near, far, weight };
};

/** Adds a map, bilinearly enlarged, to `sum` over the whole-pixel box. */
export const addMap = (map: ProbabilityMap, box: Box, sum: Float32Array): void => {
  const { fit, data } = map;
  const width = boxWidth(box);
  const height = boxHeight(box);
  const across = planSteps(box.x1, width, fit.tile.x, fit.scaleX, fit.netWidth);
  const down = planSteps(box.y1, height, fit.tile.y, fit.scaleY, fit.netHeight);
  for (let y = 0; y < height; y++) {
    const upper = (down.near[y] as number) * fit.netWidth;
    const lower = (down.far[y] as number) * fit.netWidth;
    const wy = down.weight[y] as number;
    for (let x = 0; x < width; x++) {
      const left = across.near[x] as number;
      const right = across.far[x] as number;
      const wx = across.weight[x] as number;
      const top = (data[upper + left] as number) * (1 - wx) + (data[upper + right] as number) * wx;
      const bottom = (data[lower + left] as number) * (1 - wx) + (data[lower + right] as number) * wx;
      sum[y * width + x] = (sum[y * width + x] as number) + top * (1 - wy) + bottom * wy;
    }
  }
};
