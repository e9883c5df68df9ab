/** Three by three numbers, row by row. */
export type Matrix3 = readonly [number, number, number, number, number, number, number, number, number];
export type Vector3 = readonly [number, number, number];

export const multiply = (a: Matrix3, b: Matrix3): Matrix3 =>
  Array.from({ length: 9 }, (_, index) => {
    const [row, column] = [Math.floor(index / 3) * 3, index % 3];
    return [0, 1, 2].reduce((sum, i) => sum + (a[row + i] ?? 0) * (b[3 * i + column] ?? 0), 0);
  }) as unknown as Matrix3;

export const apply = ([a, b, c, d, e, f, g, h, i]: Matrix3, [x, y, z]: Vector3): Vector3 => [
  a * x + b * y + c * z,
  d * x + e * y + f * z,
  g * x + h * y + i * z,
];

/** @returns undefined where the matrix has no inverse */
export const invert = ([a, b, c, d, e, f, g, h, i]: Matrix3): Matrix3 | undefined => {
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * A + b * B + c * C;
  if (!Number.isFinite(1 / determinant)) return undefined;
  const cofactors = [
    A,
    c * h - b * i,
    b * f - c * e,
    B,
    a * i - c * g,
    c * d - a * f,
    C,
    b * g - a * h,
    a * e - b * d,
  ];
  return cofactors.map((each) => each / determinant) as unknown as Matrix3;
};
