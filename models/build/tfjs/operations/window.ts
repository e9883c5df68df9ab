/**
 * TensorFlow's SAME padding of one axis: an odd rest is added at the end.
 *
 * A graph for any input size keeps the padding of the nominal size, which is correct for sides that are divisible by
 * the graph's total stride.
 */
export function samePadding(side: number, kernel: number, stride: number): readonly [number, number] {
  const total = Math.max((Math.ceil(side / stride) - 1) * stride + kernel - side, 0);
  return [Math.floor(total / 2), Math.ceil(total / 2)];
}

export const outputSide = (side: number, kernel: number, stride: number, padding: number): number =>
  Math.floor((side + padding - kernel) / stride) + 1;
