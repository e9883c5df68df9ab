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

/** sRGB's primaries as columns, in XYZ for the white D50: as profiles have them (ICC, IEC 61966-2-1). */
const SRGB_TO_XYZ: Matrix3 = [
  0.436065674, 0.385147095, 0.143066406, 0.222488403, 0.716873169, 0.06060791, 0.013916016, 0.097076416,
  0.714096069,
];
export const XYZ_TO_SRGB = invert(SRGB_TO_XYZ) as Matrix3;

/** White of the connection space, D50. */
export const WHITE: Vector3 = [0.9642, 1, 0.8249];

export const srgbToLinear = (level: number): number =>
  level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
export const linearToSrgb = (light: number): number =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;

/** Steps of the table below: so many that the darkest levels are exact. */
const STEPS = 16_384;
const LEVELS = Uint8Array.from({ length: STEPS + 1 }, (_, step) =>
  Math.round(255 * linearToSrgb(step / STEPS)),
);

/** The sRGB level 0..255 of an amount of light; amounts outside 0..1 are cut off. */
export const levelOf = (light: number): number =>
  LEVELS[light <= 0 ? 0 : light >= 1 ? STEPS : Math.round(light * STEPS)] ?? 0;

/** Writes a colour of the connection space as sRGB levels. */
export const writeXyz = (xyz: Vector3, to: Uint8Array | Uint8ClampedArray, at: number): void => {
  const [red, green, blue] = apply(XYZ_TO_SRGB, xyz);
  to[at] = levelOf(red);
  to[at + 1] = levelOf(green);
  to[at + 2] = levelOf(blue);
};

const labToAxis = (value: number): number =>
  value > 6 / 29 ? value ** 3 : 3 * (6 / 29) ** 2 * (value - 4 / 29);

/** CIE L*a*b* (L 0..100) as XYZ for the white D50. */
export const labToXyz = ([lightness, a, b]: Vector3): Vector3 => {
  const y = (lightness + 16) / 116;
  return [WHITE[0] * labToAxis(y + a / 500), WHITE[1] * labToAxis(y), WHITE[2] * labToAxis(y - b / 200)];
};
