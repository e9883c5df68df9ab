import { PRIMARIES, toXyz } from '#shared/engine/colour/code-points';
import { apply, type Matrix3, type Vector3 } from '#shared/engine/colour/srgb';

/** A colour of CIE 1976: lightness 0..100, and its distances from grey. */
type Lab = readonly [lightness: number, a: number, b: number];

const BT709_TO_XYZ = toXyz(PRIMARIES[1]!) as Matrix3;
const WHITE = apply(BT709_TO_XYZ, [1, 1, 1]);

const compress = (share: number): number =>
  share > (6 / 29) ** 3 ? Math.cbrt(share) : share / (3 * (6 / 29) ** 2) + 4 / 29;

/** @param light red, green and blue of BT.709, 0..1 */
export const labOf = (light: Vector3): Lab => {
  const [x, y, z] = apply(BT709_TO_XYZ, light).map((value, axis) => compress(value / (WHITE[axis] ?? 1)));
  return [116 * y! - 16, 500 * (x! - y!), 200 * (y! - z!)];
};

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** Angle of a hue in degrees, 0..360. */
const hueOf = (a: number, b: number): number => (Math.atan2(b, a) / Math.PI) * 180 + (b < 0 ? 360 : 0);
/** Share of a saturation beyond which hue counts less. */
const beyond25 = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));

/** Hue of the mean, and how far it is from one hue to the other, in degrees; the shorter way around. */
const betweenHues = (one: number, other: number): readonly [mean: number, way: number] => {
  const way = ((other - one + 540) % 360) - 180;
  return [(one + way / 2 + 360) % 360, way];
};

/**
 * Difference of two colours as seen (CIEDE2000); about 1 is just noticeable side by side.
 *
 * @see Sharma, Wu, Dalal: The CIEDE2000 color-difference formula, 2005
 */
export const deltaE = ([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number => {
  const stretch = 1 + 0.5 * (1 - beyond25((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const isGrey = c1 * c2 === 0;
  const [h1, h2] = [hueOf(a1 * stretch, b1), hueOf(a2 * stretch, b2)];
  const [hue, way] = isGrey ? [h1 + h2, 0] : betweenHues(h1, h2);
  const [lightness, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const byHue =
    1 -
    0.17 * Math.cos(radians(hue - 30)) +
    0.24 * Math.cos(radians(2 * hue)) +
    0.32 * Math.cos(radians(3 * hue + 6)) -
    0.2 * Math.cos(radians(4 * hue - 63));
  const l = (l2 - l1) / (1 + (0.015 * (lightness - 50) ** 2) / Math.sqrt(20 + (lightness - 50) ** 2));
  const c = (c2 - c1) / (1 + 0.045 * chroma);
  const h = (2 * Math.sqrt(c1 * c2) * Math.sin(radians(way / 2))) / (1 + 0.015 * chroma * byHue);
  const turn = -Math.sin(radians(60 * Math.exp(-(((hue - 275) / 25) ** 2)))) * 2 * beyond25(chroma);
  return Math.sqrt(l ** 2 + c ** 2 + h ** 2 + turn * c * h);
};
