import { matrixTransform, type ColourTransform } from './colour-transform';
import { powerCurve, type Curve } from './icc-lookup';
import {
  type Matrix3,
  type Vector3,
  apply,
  invert,
  multiply,
  srgbToLinear,
  WHITE,
  XYZ_TO_SRGB,
} from './srgb';
import type { ColourDescription } from '../../domain/image-header';

/** Units of a gamma and of chromaticities in one. */
const SCALE = 100_000;
/** 1 / 2.2 in these units: what writers of sRGB state, with curves that differ from it a little. */
const USUAL_GAMMA = 45_455;

/** @returns undefined where they are impossible */
const primariesOf = (stated: readonly number[]): Primaries | undefined => {
  const pair = (index: number): Chromaticity => [
    (stated[2 * index] ?? 0) / SCALE,
    (stated[2 * index + 1] ?? 0) / SCALE,
  ];
  const [white, red, green, blue] = [pair(0), pair(1), pair(2), pair(3)];
  return [white, red, green, blue].every(([, y]) => y > 0) ? { white, red, green, blue } : undefined;
};

/** The transform to sRGB of the colours of a file without an ICC profile; undefined where they are sRGB's. */
export const describedTransform = (colour: ColourDescription | undefined): ColourTransform | undefined => {
  if (!colour) return undefined;
  if ('primaries' in colour) return codePointsTransform(colour.primaries, colour.transfer);
  const { gamma, chromaticities } = colour;
  const primaries = chromaticities ? primariesOf(chromaticities) : SRGB_PRIMARIES;
  if (gamma === 0 || !primaries || (!chromaticities && gamma === USUAL_GAMMA)) return undefined;
  return primariesTransform(primaries, powerCurve(SCALE / gamma));
};

/** A colour without its lightness, as x and y of CIE 1931. */
export type Chromaticity = readonly [x: number, y: number];

/** What red, green and blue of an image are. */
export interface Primaries {
  readonly red: Chromaticity;
  readonly green: Chromaticity;
  readonly blue: Chromaticity;
  readonly white: Chromaticity;
}

const D65: Chromaticity = [0.3127, 0.329];
export const SRGB_PRIMARIES: Primaries = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: D65,
};

/** By their numbers in ITU-T H.273, table 2. */
export const PRIMARIES: Readonly<Record<number, Primaries>> = {
  1: SRGB_PRIMARIES,
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: D65 },
  6: { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 },
  7: { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 },
  9: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 },
  12: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 },
};
/** By their numbers in ITU-T H.273, table 3; all others count as sRGB's, which differs little from video's. */
const TRANSFERS: Readonly<Record<number, Curve>> = {
  4: powerCurve(2.2),
  5: powerCurve(2.8),
  8: powerCurve(1),
};

/** Responses of the eye's cones, by Bradford: what whites are fitted in. */
const TO_CONES: Matrix3 = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];

const xyzOf = ([x, y]: Chromaticity): Vector3 => [x / y, 1, (1 - x - y) / y];

const diagonal = ([a, b, c]: Vector3): Matrix3 => [a, 0, 0, 0, b, 0, 0, 0, c];

/** From light of these primaries to XYZ for their own white; undefined where they span nothing. */
export const toXyz = ({ red, green, blue, white }: Primaries): Matrix3 | undefined => {
  const [r, g, b, w] = [red, green, blue, white].map(xyzOf) as [Vector3, Vector3, Vector3, Vector3];
  const columns = [0, 1, 2].flatMap((axis) => [r[axis], g[axis], b[axis]]) as unknown as Matrix3;
  const inverse = invert(columns);
  return inverse && multiply(columns, diagonal(apply(inverse, w)));
};

/** From light of these primaries to XYZ for the white D50; undefined where they span nothing. */
const toConnectionSpace = (primaries: Primaries): Matrix3 | undefined => {
  const own = toXyz(primaries);
  const fromCones = invert(TO_CONES);
  if (!own || !fromCones) return undefined;
  const [from, to] = [apply(TO_CONES, xyzOf(primaries.white)), apply(TO_CONES, WHITE)];
  const gains = to.map((value, cone) => value / (from[cone] ?? 1)) as unknown as Vector3;
  const matrix = multiply(multiply(fromCones, multiply(diagonal(gains), TO_CONES)), own);
  return matrix.every(Number.isFinite) ? matrix : undefined;
};

/** The transform from light of these primaries; undefined where it changes nothing, or they span nothing. */
export const primariesTransform = (primaries: Primaries, toLinear: Curve): ColourTransform | undefined => {
  const matrix = toConnectionSpace(primaries);
  return matrix && matrixTransform([toLinear, toLinear, toLinear], multiply(XYZ_TO_SRGB, matrix));
};

/**
 * The transform of an image that describes its colours by numbers (`nclx` in HEIF, `cICP` in PNG).
 *
 * @returns undefined where they are sRGB's, or unknown
 */
export const codePointsTransform = (primaries: number, transfer: number): ColourTransform | undefined =>
  primariesTransform(PRIMARIES[primaries] ?? SRGB_PRIMARIES, TRANSFERS[transfer] ?? srgbToLinear);
