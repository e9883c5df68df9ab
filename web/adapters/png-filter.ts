type Row = Uint8Array | Uint8ClampedArray;
type Filter = (pixels: Row, above: Row, channels: number, out: Uint8Array) => void;

const none: Filter = (pixels, _above, _channels, out) => out.set(pixels, 1);

const sub: Filter = (pixels, _above, channels, out) => {
  for (let i = 0; i < pixels.length; i++) {
    out[i + 1] = pixels[i]! - (i < channels ? 0 : pixels[i - channels]!);
  }
};

const up: Filter = (pixels, above, _channels, out) => {
  for (let i = 0; i < pixels.length; i++) out[i + 1] = pixels[i]! - above[i]!;
};

/** Paeth predictor: the left, upper or upper left byte that is nearest to left + up − upper left. */
const paeth: Filter = (pixels, above, channels, out) => {
  for (let i = 0; i < pixels.length; i++) {
    const b = above[i]!;
    const a = i < channels ? 0 : pixels[i - channels]!;
    const c = i < channels ? 0 : above[i - channels]!;
    const toA = Math.abs(b - c);
    const toB = Math.abs(a - c);
    const toC = Math.abs(a + b - 2 * c);
    const predicted = toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
    out[i + 1] = pixels[i]! - predicted;
  }
};

/**
 * Filters with their PNG filter type. Up comes first, because it suits the flat rows of masks. Average is omitted
 * because it is rarely the best.
 */
const FILTERS = [
  { type: 2, apply: up },
  { type: 1, apply: sub },
  { type: 4, apply: paeth },
] as const;

/** Step between the bytes that are compared to select a row's filter. */
const SAMPLE_STEP = 5;

/**
 * Sum of the filtered bytes as absolute signed values: the smaller it is, the better the row compresses (heuristic of
 * the PNG specification).
 */
const cost = (filtered: Uint8Array): number => {
  let sum = 0;
  for (let i = 1; i < filtered.length; i += SAMPLE_STEP) {
    const byte = filtered[i]!;
    sum += byte < 128 ? byte : 256 - byte;
  }
  return sum;
};

let scratch = new Uint8Array(0);

/**
 * Writes one row with the filter that is expected to compress best.
 *
 * @param above the row before, or zeros
 * @param filters false: store the row unfiltered
 * @param out one byte longer than the row: the first byte is the filter type
 */
export const filterRow = (
  pixels: Row,
  above: Row,
  channels: number,
  filters: boolean,
  out: Uint8Array,
): void => {
  none(pixels, above, channels, out);
  if (!filters) return;
  if (scratch.length !== out.length) scratch = new Uint8Array(out.length);
  let best = cost(out);
  for (const { type, apply } of FILTERS) {
    if (best === 0) return;
    apply(pixels, above, channels, scratch);
    const sum = cost(scratch);
    if (sum >= best) continue;
    best = sum;
    out.set(scratch);
    out[0] = type;
  }
};
