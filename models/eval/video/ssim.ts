import { RGBA, type Raster } from '#shared/domain/raster';

const WINDOW = 8;
const STEP = 4;
/** Of 8-bit values (k1 = 0.01, k2 = 0.03). */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

const luma = ({ data, width, height }: Raster): Float32Array =>
  Float32Array.from({ length: width * height }, (_, i) => {
    const at = i * RGBA;
    return 0.299 * (data[at] as number) + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number);
  });

/**
 * Structural similarity of two images of the same size, by their luma in windows of 8 × 8 px: 1 if they are equal.
 *
 * @see Wang et al., Image quality assessment: from error visibility to structural similarity, 2004
 */
export const ssim = (one: Raster, other: Raster): number => {
  const [a, b] = [luma(one), luma(other)];
  let [sum, windows] = [0, 0];
  for (let top = 0; top + WINDOW <= one.height; top += STEP) {
    for (let left = 0; left + WINDOW <= one.width; left += STEP) {
      sum += windowSsim(a, b, top * one.width + left, one.width);
      windows++;
    }
  }
  return sum / windows;
};

const windowSsim = (a: Float32Array, b: Float32Array, start: number, stride: number): number => {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let y = 0; y < WINDOW; y++) {
    for (let i = start + y * stride; i < start + y * stride + WINDOW; i++) {
      const [valueA, valueB] = [a[i] as number, b[i] as number];
      sumA += valueA;
      sumB += valueB;
      squaresA += valueA * valueA;
      squaresB += valueB * valueB;
      products += valueA * valueB;
    }
  }
  const count = WINDOW * WINDOW;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const variances = squaresA / count - meanA * meanA + squaresB / count - meanB * meanB;
  const covariance = products / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (variances + C2))
  );
};
