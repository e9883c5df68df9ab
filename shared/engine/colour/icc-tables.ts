import {
  type Lookup,
  type Curve,
  gridLength,
  sampledCurves,
  PARAMETER_COUNTS,
  parametricCurve,
  powerCurve,
  sampledCurve,
} from './icc-lookup';
import type { Matrix3 } from './srgb';

const OUTPUTS = 3;
const MAX_CURVE_VALUES = 65_536;

export const signatureAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
const fixedAt = (view: DataView, at: number): number => view.getInt32(at) / 65_536;

const numbersAt = (view: DataView, at: number, count: number, bytes: 1 | 2): Float32Array =>
  Float32Array.from({ length: count }, (_, index) =>
    bytes === 1 ? view.getUint8(at + index) / 255 : view.getUint16(at + 2 * index) / 65_535,
  );

const matrixAt = (view: DataView, at: number): Matrix3 =>
  Array.from({ length: 9 }, (_, index) => fixedAt(view, at + 4 * index)) as unknown as Matrix3;

/** A curve of a profile, with the bytes that it takes. @throws RangeError where it is none */
export const readCurve = (view: DataView, at: number): { readonly curve: Curve; readonly bytes: number } => {
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
  const [inputs = 0, outputs = 0, gridPoints = 0] = [8, 9, 10].map((offset) => view.getUint8(at + offset));
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

/**
 * Reads a table. Its values 0..1 stand for L*a*b* in two scales: tables of 16 bits have that of the second version.
 *
 * @throws RangeError where the tag holds no table
 */
export const readLookup = (
  view: DataView,
  at: number,
): { readonly lookup: Lookup; readonly hasOldScale: boolean } => {
  const type = signatureAt(view, at);
  if (type === 'mft1') return { lookup: readSampledTables(view, at, 1), hasOldScale: false };
  if (type === 'mft2') return { lookup: readSampledTables(view, at, 2), hasOldScale: true };
  if (type === 'mAB ') return { lookup: readStages(view, at), hasOldScale: false };
  throw new RangeError('a table of another kind');
};
