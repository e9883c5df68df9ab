/** IEEE 754 binary16, as bits. The sources store weights in this form, and ONNX supports it, too. */

const SMALLEST_NORMAL = 2 ** -14;
const SUBNORMAL_STEP = 2 ** -24;
const LARGEST = 65504;

export function float16ToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * SUBNORMAL_STEP;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** @returns undefined if the value has no exact binary16 form, so that nothing is rounded */
function exactFloat16Bits(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (!(magnitude <= LARGEST)) return undefined;
  if (magnitude < SMALLEST_NORMAL) {
    const steps = magnitude / SUBNORMAL_STEP;
    return Number.isInteger(steps) ? sign | steps : undefined;
  }
  let exponent = Math.floor(Math.log2(magnitude));
  if (2 ** exponent > magnitude) exponent -= 1;
  else if (2 ** (exponent + 1) <= magnitude) exponent += 1;
  const fraction = (magnitude / 2 ** exponent - 1) * 1024;
  return Number.isInteger(fraction) ? sign | ((exponent + 15) << 10) | fraction : undefined;
}

/** @returns undefined unless every value has an exact form */
export function toExactFloat16(values: Float32Array): Uint16Array | undefined {
  const half = new Uint16Array(values.length);
  for (const [i, value] of values.entries()) {
    const bits = exactFloat16Bits(value);
    if (bits === undefined) return undefined;
    half[i] = bits;
  }
  return half;
}

/** Number of fraction bits. */
const PRECISION = 10;

const roundHalfToEven = (value: number): number => {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
};

/**
 * @returns the nearest binary16 number of each value, or the largest one beyond the range; `toExactFloat16` accepts all
 */
export const roundToFloat16 = (values: Float32Array): Float32Array =>
  values.map((value) => {
    const magnitude = Math.min(Math.abs(value), LARGEST);
    const exponent = magnitude < SMALLEST_NORMAL ? -14 : Math.floor(Math.log2(magnitude));
    const step = 2 ** (exponent - PRECISION);
    return Math.sign(value) * Math.min(LARGEST, roundHalfToEven(magnitude / step) * step);
  });
