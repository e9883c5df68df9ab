import type { ColourDescription } from '../../domain/image-header';
import {
  codePointsTransform,
  primariesTransform,
  SRGB_PRIMARIES,
  type Chromaticity,
  type Primaries,
} from './code-points';
import type { ColourTransform } from './colour-transform';
import { powerCurve } from './curve';

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
