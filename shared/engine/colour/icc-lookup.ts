import { apply, type Matrix3 } from './srgb';

/** Turns a level 0..1 into another. */
export type Curve = (level: number) => number;

const clamp = (value: number): number => (value > 0 ? (value < 1 ? value : 1) : 0);

/** A curve through equally spaced values 0..1; straight lines between them. */
export const sampledCurve = (values: ArrayLike<number>): Curve => {
  const last = values.length - 1;
  return (level) => {
    const at = clamp(level) * last;
    const low = Math.floor(at);
    const from = values[low] ?? 0;
    return from + ((values[Math.min(low + 1, last)] ?? from) - from) * (at - low);
  };
};

/** Parameters of each function type of `para`, in the order of the file. @see ICC.1:2022, 10.18 */
type Parameters = readonly [g: number, a: number, b: number, c: number, d: number, e: number, f: number];

const PARAMETERS: readonly ((p: readonly number[]) => Parameters)[] = [
  ([g = 1]) => [g, 1, 0, 0, -1, 0, 0],
  ([g = 1, a = 1, b = 0]) => [g, a, b, 0, -b / a, 0, 0],
  ([g = 1, a = 1, b = 0, c = 0]) => [g, a, b, 0, -b / a, c, c],
  ([g = 1, a = 1, b = 0, c = 0, d = 0]) => [g, a, b, c, d, 0, 0],
  ([g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0]) => [g, a, b, c, d, e, f],
];
/** How many numbers each function type has. */
export const PARAMETER_COUNTS: readonly number[] = [1, 3, 4, 5, 7];

/** `(aX + b)^g + e` from `d` on, `cX + f` below. */
export const parametricCurve = (type: number, numbers: readonly number[]): Curve => {
  const [g, a, b, c, d, e, f] = PARAMETERS[type]?.(numbers) ?? [1, 1, 0, 0, -1, 0, 0];
  return (level) => clamp(level >= d ? Math.max(0, a * level + b) ** g + e : c * level + f);
};

export const powerCurve =
  (gamma: number): Curve =>
  (level) =>
    clamp(level) ** gamma;

/** A table of colours: from the levels of a device to those of the connection space, all 0..1. */
export interface Lookup {
  readonly inputs: number;
  /** One for each input. */
  readonly inputCurves: readonly Curve[];
  readonly grid: Grid | undefined;
  readonly middle:
    | { readonly curves: readonly Curve[]; readonly matrix: Matrix3; readonly offset: readonly number[] }
    | undefined;
  /** One for each of the three outputs. */
  readonly outputCurves: readonly Curve[];
}

/** Points of equal distance along each input, the last input running fastest; three values for each. */
export interface Grid {
  readonly points: readonly number[];
  readonly values: Float32Array;
}

const OUTPUTS = 3;
/** More than real profiles have: 33 points for each of three inputs, 17 for each of four. */
const MAX_GRID_VALUES = 2 ** 22;

/** @throws RangeError where a file states a table that is too large to be true */
export const gridLength = (points: readonly number[]): number => {
  const length = points.reduce((product, count) => product * count, OUTPUTS);
  if (points.some((count) => count < 2) || length > MAX_GRID_VALUES) {
    throw new RangeError('a table of colours');
  }
  return length;
};

/** Where a level lies between two points of a grid. */
interface Between {
  /** Offsets of their values. */
  readonly low: number;
  readonly high: number;
  /** 0: at the lower point; 1: at the higher one. */
  readonly share: number;
}

const placeLevels = (points: readonly number[], levels: ArrayLike<number>): Between[] => {
  let stride = OUTPUTS;
  const places: Between[] = [];
  for (let input = points.length - 1; input >= 0; input -= 1) {
    const last = (points[input] as number) - 1;
    const at = Math.min(1, Math.max(0, levels[input] as number)) * last;
    const floor = Math.min(Math.floor(at), last - 1);
    places.push({ low: floor * stride, high: (floor + 1) * stride, share: at - floor });
    stride *= last + 1;
  }
  return places;
};

/** The straight-line mean of the corners of the cell in which a colour lies, over all inputs. */
const interpolate = ({ points, values }: Grid, levels: ArrayLike<number>): [number, number, number] => {
  const places = placeLevels(points, levels);
  const mean: [number, number, number] = [0, 0, 0];
  for (let corner = 0; corner < 1 << places.length; corner += 1) {
    let [weight, at] = [1, 0];
    for (let input = 0; input < places.length; input += 1) {
      const { low, high, share } = places[input] as Between;
      const isHigh = (corner >> input) & 1;
      weight *= isHigh ? share : 1 - share;
      at += isHigh ? high : low;
    }
    if (weight === 0) continue;
    for (let output = 0; output < OUTPUTS; output += 1) {
      mean[output] = (mean[output] as number) + weight * (values[at + output] as number);
    }
  }
  return mean;
};

/** The connection-space colour, each value 0..1, of a device's levels 0..1. */
export const lookUp = (lookup: Lookup, levels: readonly number[]): [number, number, number] => {
  const { inputCurves, grid, middle, outputCurves } = lookup;
  const entered = inputCurves.map((curve, input) => curve(levels[input] ?? 0));
  let found: readonly number[] = grid ? interpolate(grid, entered) : entered;
  if (middle) {
    const curved = middle.curves.map((curve, output) => curve(found[output] ?? 0));
    const turned = apply(middle.matrix, [curved[0] ?? 0, curved[1] ?? 0, curved[2] ?? 0]);
    found = turned.map((value, output) => value + (middle.offset[output] ?? 0));
  }
  const [first, second, third] = outputCurves.map((curve, output) => curve(found[output] ?? 0));
  return [first ?? 0, second ?? 0, third ?? 0];
};

/** `count` sampled curves of `length` values each, that lie behind one another. */
export const sampledCurves = (values: Float32Array, count: number): Curve[] => {
  const length = values.length / count;
  return Array.from({ length: count }, (_, index) =>
    sampledCurve(values.subarray(index * length, (index + 1) * length)),
  );
};
