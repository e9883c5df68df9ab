import type { Box } from '../domain/boxes';
import { RGBA, type Raster } from '../domain/raster';

/** Green values inside a box, row-major. */
const greens = (raster: Raster, box: Box): Float64Array => {
  const values = new Float64Array((box.x2 - box.x1) * (box.y2 - box.y1));
  let to = 0;
  for (let y = box.y1; y < box.y2; y++) {
    for (let x = box.x1; x < box.x2; x++) {
      values[to++] = raster.data[(y * raster.width + x) * RGBA + 1] as number;
    }
  }
  return values;
};

const correlation = (a: Float64Array, b: Float64Array): number => {
  const mean = (values: Float64Array): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, i) => {
    const [p, q] = [value - meanA, (b[i] as number) - meanB];
    ab += p * q;
    aa += p * p;
    bb += q * q;
  });
  return aa * bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
};

/** Returns the index of the known image with the highest correlation, which does not depend on brightness. */
export const createRecogniser = (known: readonly Raster[], box: Box): ((image: Raster) => number) => {
  const gallery = known.map((one) => greens(one, box));
  return (image) => {
    const values = greens(image, box);
    const likeness = gallery.map((one) => correlation(one, values));
    return likeness.indexOf(Math.max(...likeness));
  };
};
