import type { TfjsConstant } from './graph';

/** Reorders the axes of a four-dimensional constant: axis `i` of the result is axis `order[i]` of the source. */
export function transpose(
  { shape, data }: TfjsConstant,
  order: readonly [number, number, number, number],
): Float32Array {
  const stride = (axis: number) => shape.slice(axis + 1).reduce((product, side) => product * side, 1);
  const [sideA, sideB, sideC, sideD] = order.map((axis) => shape[axis] ?? 0) as [
    number,
    number,
    number,
    number,
  ];
  const [stepA, stepB, stepC, stepD] = order.map(stride) as [number, number, number, number];
  const result = new Float32Array(data.length);
  let to = 0;
  for (let a = 0; a < sideA; a++) {
    for (let b = 0; b < sideB; b++) {
      for (let c = 0; c < sideC; c++) {
        for (let d = 0; d < sideD; d++) {
          result[to++] = data[a * stepA + b * stepB + c * stepC + d * stepD] ?? 0;
        }
      }
    }
  }
  return result;
}
