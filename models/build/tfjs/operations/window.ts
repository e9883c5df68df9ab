/**
 * TensorFlow's SAME padding of one axis: what is odd goes behind.
 *
 * A graph of any input size keeps the nominal size's padding, which is right for sides that the graph's total
 * stride divides.
 */
export function samePadding(side: number, kernel: number, stride: number): readonly [number, number] {
  const total = Math.max((Math.ceil(side / stride) - 1) * stride + kernel - side, 0);
  return [Math.floor(total / 2), Math.ceil(total / 2)];
}

export const outputSide = (side: number, kernel: number, stride: number, padding: number): number =>
  Math.floor((side + padding - kernel) / stride) + 1;
