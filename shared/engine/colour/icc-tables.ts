import { gridLength, sampledCurves, type Lookup } from './icc-lookup';
import type { Matrix3 } from './matrix3';

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
const PARAMETER_COUNTS: readonly number[] = [1, 3, 4, 5, 7];

/** `(aX + b)^g + e` from `d` on, `cX + f` below. */
const parametricCurve = (type: number, numbers: readonly number[]): Curve => {
  const [g, a, b, c, d, e, f] = PARAMETERS[type]?.(numbers) ?? [1, 1, 0, 0, -1, 0, 0];
  return (level) => clamp(level >= d ? Math.max(0, a * level + b) ** g + e : c * level + f);
};

export const powerCurve =
  (gamma: number): Curve =>
  (level) =>
    clamp(level) ** gamma;

const OUTPUTS = 3;
const MAX_CURVE_VALUES = 65_536;

const signatureAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
const fixedAt = (view: DataView, at: number): number => view.getInt32(at) / 65_536;

const numbersAt = (view: DataView, at: number, count: number, bytes: 1 | 2): Float32Array =>
  Float32Array.from({ length: count }, (_, index) =>
    bytes === 1 ? view.getUint8(at + index) / 255 : view.getUint16(at + 2 * index) / 65_535,
  );

const matrixAt = (view: DataView, at: number): Matrix3 =>
  Array.from({ length: 9 }, (_, index) => fixedAt(view, at + 4 * index)) as unknown as Matrix3;

/** A curve of a profile, with the bytes that it takes. */
export interface ReadCurve {
  readonly curve: Curve;
  readonly bytes: number;
}

/** @throws RangeError where it is none */
export const readCurve = (view: DataView, at: number): ReadCurve => {
  const type = signatureAt(view, at);
  if (type === 'para') {
    const kind = view.getUint16(at + 8);
    const count = PARAMETER_COUNTS[kind];
    if (count === undefined) throw new RangeError('a curve of an unknown type');
    const numbers = Array.from({ length: count }, (_, index) => fixedAt(view, at + 12 + 4 * index));
    return { curve: parametricCurve(kind, numbers), bytes: 12 + 4 * count };
  }
  const count = view.getUint32(at + 8);
  if (type !== 'curv' || count > MAX_CURVE_VALUES) throw new RangeError('no curve');
  const bytes = 12 + 2 * count;
  if (count === 0) return { curve: powerCurve(1), bytes };
  if (count === 1) return { curve: powerCurve(view.getUint16(at + 12) / 256), bytes };
  return { curve: sampledCurve(numbersAt(view, at + 12, count, 2)), bytes };
};

/** Curves that follow each other at offsets of whole words. */
const readCurves = (view: DataView, at: number, count: number): Curve[] => {
  let next = at;
  return Array.from({ length: count }, () => {
    const { curve, bytes } = readCurve(view, next);
    next += Math.ceil(bytes / 4) * 4;
    return curve;
  });
};

const requireChannels = (inputs: number, outputs: number): void => {
  if (inputs < 1 || inputs > 4 || outputs !== OUTPUTS) throw new RangeError('channels of another kind');
};

/** Tables of equal form, of 8 or 16 bits (`mft1`, `mft2`). */
const readSampledTables = (view: DataView, at: number, bytes: 1 | 2): Lookup => {
  const [inputs, outputs, gridPoints] = [8, 9, 10].map((offset) => view.getUint8(at + offset)) as [
    number,
    number,
    number,
  ];
  requireChannels(inputs, outputs);
  const [inputLength, outputLength] =
    bytes === 1 ? [256, 256] : [view.getUint16(at + 48), view.getUint16(at + 50)];
  if (inputLength < 2 || outputLength < 2) throw new RangeError('curves without values');
  const points = Array.from({ length: inputs }, () => gridPoints);
  const gridAt = at + (bytes === 1 ? 48 : 52) + inputs * inputLength * bytes;
  const outputAt = gridAt + gridLength(points) * bytes;
  const inputValues = numbersAt(view, gridAt - inputs * inputLength * bytes, inputs * inputLength, bytes);
  return {
    inputs,
    inputCurves: sampledCurves(inputValues, inputs),
    grid: { points, values: numbersAt(view, gridAt, gridLength(points), bytes) },
    middle: undefined,
    outputCurves: sampledCurves(numbersAt(view, outputAt, OUTPUTS * outputLength, bytes), OUTPUTS),
  };
};

const readGrid = (view: DataView, at: number, inputs: number): Lookup['grid'] => {
  const points = Array.from({ length: inputs }, (_, input) => view.getUint8(at + input));
  const precision = view.getUint8(at + 16);
  if (precision !== 1 && precision !== 2) throw new RangeError('a precision of another kind');
  return { points, values: numbersAt(view, at + 20, gridLength(points), precision) };
};

const straight = (count: number): Curve[] => Array.from({ length: count }, () => powerCurve(1));

/** Curves and a matrix behind the grid. @param curvesAt 0: there are none */
const readMiddle = (view: DataView, matrixOffset: number, curvesAt: number): Lookup['middle'] => ({
  curves: curvesAt === 0 ? straight(OUTPUTS) : readCurves(view, curvesAt, OUTPUTS),
  matrix: matrixAt(view, matrixOffset),
  offset: [0, 1, 2].map((output) => fixedAt(view, matrixOffset + 36 + 4 * output)),
});

/** Curves, a grid, more curves, a matrix and curves again; all but the last may be absent (`mAB `). */
const readStages = (view: DataView, at: number): Lookup => {
  const [inputs, outputs] = [view.getUint8(at + 8), view.getUint8(at + 9)];
  /** 0: the stage is absent. */
  const stageAt = (offset: number): number => {
    const stage = view.getUint32(at + offset);
    return stage === 0 ? 0 : at + stage;
  };
  const [matrixOffset, gridAt, firstAt] = [stageAt(16), stageAt(24), stageAt(28)];
  requireChannels(inputs, outputs);
  if (gridAt === 0 && inputs !== OUTPUTS) throw new RangeError('a grid is missing');
  return {
    inputs,
    inputCurves: firstAt === 0 ? straight(inputs) : readCurves(view, firstAt, inputs),
    grid: gridAt === 0 ? undefined : readGrid(view, gridAt, inputs),
    middle: matrixOffset === 0 ? undefined : readMiddle(view, matrixOffset, stageAt(20)),
    outputCurves: readCurves(view, stageAt(12), OUTPUTS),
  };
};

/** How a table's values 0..1 stand for L*a*b*: two scales are in use. */
export interface ReadLookup {
  readonly lookup: Lookup;
  /** Tables of 16 bits have the scale of the format's second version. */
  readonly hasOldScale: boolean;
}

/** @throws RangeError where the tag holds no table */
export const readLookup = (view: DataView, at: number): ReadLookup => {
  const type = signatureAt(view, at);
  if (type === 'mft1') return { lookup: readSampledTables(view, at, 1), hasOldScale: false };
  if (type === 'mft2') return { lookup: readSampledTables(view, at, 2), hasOldScale: true };
  if (type === 'mAB ') return { lookup: readStages(view, at), hasOldScale: false };
  throw new RangeError('a table of another kind');
};
