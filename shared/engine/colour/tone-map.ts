import type { HdrTransfer } from '../../domain/hdr';
import { SRGB_PRIMARIES, toXyz, type Primaries } from './code-points';
import { displayLight, PEAK_NITS, nitsOfPq, pqOfNits } from './hdr-light';
import { apply, invert, linearToSrgb, multiply, type Matrix3, type Vector3 } from './srgb';

/** Light of white paper in high dynamic range, which becomes the brightest white of the result (ITU-R BT.2408). */
const REFERENCE_WHITE_NITS = 203;

const PEAK = pqOfNits(PEAK_NITS);
const TARGET = pqOfNits(REFERENCE_WHITE_NITS) / PEAK;
/** Where highlights begin, as a share of the peak's PQ signal; below, nothing changes. */
const KNEE = 1.5 * TARGET - 0.5;

/**
 * Compresses light of up to `PEAK_NITS` to that of white paper (EETF of ITU-R BT.2390, section 5.4.1): up to about
 * 92 cd/m², where faces are, it stays; above, a spline through PQ signals ends at the peak.
 */
const compressHighlights = (nits: number): number => {
  const signal = Math.min(1, pqOfNits(nits) / PEAK);
  if (signal <= KNEE) return nits;
  const t = (signal - KNEE) / (1 - KNEE);
  const spline =
    (2 * t ** 3 - 3 * t ** 2 + 1) * KNEE +
    (t ** 3 - 2 * t ** 2 + t) * (1 - KNEE) +
    (3 * t ** 2 - 2 * t ** 3) * TARGET;
  return nitsOfPq(spline * PEAK);
};

/** The brightest component is compressed and the others follow: their ratios, and so the hue, stay. */
const compress = (light: Vector3): Vector3 => {
  const brightest = Math.max(...light);
  const gain = brightest > 0 ? compressHighlights(brightest) / brightest / REFERENCE_WHITE_NITS : 0;
  return light.map((component) => gain * component) as unknown as Vector3;
};

/** Distances from grey, as shares of the way to the edge of BT.709's colours. */
const GAMUT = {
  /** Up to here, colours stay. */
  kept: 0.8,
  /** The largest that BT.2020's colours have; it comes to lie on the edge. */
  max: 2.25,
} as const;
/** Makes the curve below reach 1 at `GAMUT.max`. */
const GAMUT_SCALE = ((1 - GAMUT.kept) * (GAMUT.max - GAMUT.kept)) / (GAMUT.max - 1);

const softly = (distance: number): number => {
  if (distance <= GAMUT.kept) return distance;
  const beyond = (distance - GAMUT.kept) / GAMUT_SCALE;
  return Math.min(1, GAMUT.kept + (GAMUT_SCALE * beyond) / (1 + beyond));
};

/**
 * Moves colours that BT.709 lacks towards the grey of their luminance until it has them, and those near its edge a
 * little, so that different colours stay different.
 */
const fitGamut = (light: Vector3, [red, green, blue]: Vector3): Vector3 => {
  const luminance = Math.min(1, red * light[0] + green * light[1] + blue * light[2]);
  const distanceOf = (component: number): number =>
    component < luminance
      ? (luminance - component) / luminance
      : (component - luminance) / Math.max(1 - luminance, Number.EPSILON);
  const distance = Math.max(...light.map(distanceOf));
  if (!(distance > GAMUT.kept)) return light;
  const gain = softly(distance) / distance;
  return light.map((component) => luminance + gain * (component - luminance)) as unknown as Vector3;
};

/** Gamma of studio displays (ITU-R BT.1886), for which videos in BT.709 are made. */
const VIDEO_GAMMA = 2.4;

/** Signals of light 0..1, by what the result is: images are sRGB. */
const TO_SIGNAL = {
  video: (light: number): number => light ** (1 / VIDEO_GAMMA),
  image: linearToSrgb,
} as const;
export type ToneOutput = keyof typeof TO_SIGNAL;

const clamp = (light: number): number => Math.min(1, Math.max(0, light));

/** Maps red, green and blue as signals 0..1 in high dynamic range to those of BT.709 in standard range. */
export type ToneMap = (signal: Vector3) => Vector3;

const BT709_TO_XYZ = toXyz(SRGB_PRIMARIES) as Matrix3;

/** Weights of red, green and blue in luminance. */
const luminanceOf = (matrix: Matrix3): Vector3 => [matrix[3], matrix[4], matrix[5]];

/**
 * The mapping, in exact numbers: signal → light of a display → compressed highlights → BT.709's primaries → its colours
 * → signal.
 *
 * @param primaries of the source, with BT.709's white
 */
export const createToneMap = (
  transfer: HdrTransfer,
  primaries: Primaries,
  use: ToneOutput = 'video',
): ToneMap => {
  const toSignal = TO_SIGNAL[use];
  const source = toXyz(primaries) as Matrix3;
  const toBt709 = multiply(invert(BT709_TO_XYZ) as Matrix3, source);
  const [before, after] = [luminanceOf(source), luminanceOf(BT709_TO_XYZ)];
  return (signal) => {
    const light = compress(displayLight(transfer, signal, before));
    return fitGamut(apply(toBt709, light), after).map((component) =>
      toSignal(clamp(component)),
    ) as unknown as Vector3;
  };
};
