import { matrixTransform, type ColourTransform, type PixelBytes } from './colour-transform';
import { readCurve, readLookup, signatureAt } from './icc-tables';
import { lookUp, type Curve } from './icc-lookup';
import { multiply, labToXyz, writeXyz, XYZ_TO_SRGB, type Matrix3, type Vector3 } from './srgb';

/** What the levels of pixels stand for. */
export type ColourSpace = 'rgb' | 'grey' | 'cmyk';

const SPACES: Readonly<Record<string, ColourSpace>> = { 'RGB ': 'rgb', GRAY: 'grey', CMYK: 'cmyk' };
const CHANNELS = { rgb: 3, grey: 1, cmyk: 4 } as const satisfies Record<ColourSpace, number>;
const HEADER_BYTES = 128;
const MAX_TAGS = 200;
/** The connection space's largest XYZ value, in tables whose values are 0..1. */
const MAX_XYZ = 1 + 32_767 / 32_768;

interface Profile {
  readonly view: DataView;
  readonly space: ColourSpace;
  readonly isLab: boolean;
  /** Offsets by signature. */
  readonly tags: ReadonlyMap<string, number>;
}

const openProfile = (bytes: Uint8Array): Profile => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const space = SPACES[signatureAt(view, 16)];
  const connection = signatureAt(view, 20);
  const count = view.getUint32(HEADER_BYTES);
  const isOther = connection !== 'XYZ ' && connection !== 'Lab ';
  if (signatureAt(view, 36) !== 'acsp' || !space || isOther || count > MAX_TAGS) {
    throw new RangeError('no profile of a device');
  }
  const tags = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + 4 + 12 * index;
    tags.set(signatureAt(view, at), view.getUint32(at + 4));
  }
  return { view, space, isLab: connection === 'Lab ', tags };
};

const curveOf = ({ view, tags }: Profile, tag: string): Curve => {
  const at = tags.get(tag);
  if (at === undefined) throw new RangeError('a curve is missing');
  return readCurve(view, at).curve;
};

const xyzOf = ({ view, tags }: Profile, tag: string): Vector3 => {
  const at = tags.get(tag);
  if (at === undefined) throw new RangeError('a primary is missing');
  return [8, 12, 16].map((offset) => view.getInt32(at + offset) / 65_536) as unknown as Vector3;
};

const byMatrix = (profile: Profile): ColourTransform | undefined => {
  const primaries = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => xyzOf(profile, tag));
  const toXyz = [0, 1, 2].flatMap((axis) => primaries.map((one) => one[axis])) as unknown as Matrix3;
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((tag) => curveOf(profile, tag)) as [Curve, Curve, Curve];
  return matrixTransform(curves, multiply(XYZ_TO_SRGB, toXyz));
};

const byGreyCurve = (profile: Profile): ColourTransform | undefined => {
  const curve = curveOf(profile, 'kTRC');
  return matrixTransform([curve, curve, curve], [1, 0, 0, 0, 1, 0, 0, 0, 1]);
};

/** A connection-space colour from a table's values 0..1. */
const xyzFrom = ([x, y, z]: Vector3, isLab: boolean, hasOldScale: boolean): Vector3 => {
  if (!isLab) return [x * MAX_XYZ, y * MAX_XYZ, z * MAX_XYZ];
  if (hasOldScale) {
    return labToXyz([(x * 65_535) / 652.8, (y * 65_535) / 256 - 128, (z * 65_535) / 256 - 128]);
  }
  return labToXyz([x * 100, y * 255 - 128, z * 255 - 128]);
};

/** Colours of a photograph repeat: so many are remembered at once. */
const MAX_KNOWN = 2 ** 18;

/** A pixel's four bytes as one number. */
const wordAt = (pixels: PixelBytes, at: number): number =>
  (pixels[at] as number) |
  ((pixels[at + 1] as number) << 8) |
  ((pixels[at + 2] as number) << 16) |
  ((pixels[at + 3] as number) << 24);

const byLookup = ({ view, space, isLab }: Profile, at: number): ColourTransform => {
  const { lookup, hasOldScale } = readLookup(view, at);
  const channels = CHANNELS[space];
  if (lookup.inputs !== channels) throw new RangeError('a table for other channels');
  const isCmyk = space === 'cmyk';
  return (pixels) => {
    const known = new Map<number, number>();
    const levels = new Array<number>(channels);
    for (let at = 0; at < pixels.length; at += 4) {
      const word = wordAt(pixels, at);
      const before = known.get(word);
      if (before === undefined) {
        for (let each = 0; each < channels; each += 1) levels[each] = (pixels[at + each] as number) / 255;
        writeXyz(xyzFrom(lookUp(lookup, levels), isLab, hasOldScale), pixels, at);
        if (known.size === MAX_KNOWN) known.clear();
        known.set(word, wordAt(pixels, at));
      } else {
        pixels[at] = before & 255;
        pixels[at + 1] = (before >> 8) & 255;
        pixels[at + 2] = (before >> 16) & 255;
      }
      if (isCmyk) pixels[at + 3] = 255;
    }
  };
};

/**
 * Builds the transform of a profile to sRGB; perceptual where the profile has tables for that, and without fitting the
 * black points, as browsers do it.
 *
 * @param wanted what the pixels are: a profile for other pixels is not applied
 * @returns undefined where the profile changes nothing, is broken, or is of a kind that is not known: the levels then
 *   count as sRGB, as in browsers
 * @see ICC.1:2022
 */
export const transformOf = (bytes: Uint8Array, wanted: ColourSpace): ColourTransform | undefined => {
  try {
    const profile = openProfile(bytes);
    if (profile.space !== wanted) return undefined;
    const table = profile.tags.get('A2B0') ?? profile.tags.get('A2B1');
    if (table !== undefined) return byLookup(profile, table);
    if (wanted === 'rgb') return byMatrix(profile);
    return wanted === 'grey' ? byGreyCurve(profile) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
