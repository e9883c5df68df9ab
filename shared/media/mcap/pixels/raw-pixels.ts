import { OPAQUE, RGBA, type Raster, type Size } from '../../../domain/raster';
import { viewOf } from '../../../engine/formats/bytes';
import { MessageProblem } from '../messages/image-message';
import { BAYER, channelAt, rasterOfBayer, type BayerPattern } from './bayer';
import { putRgb, YUV, yuvOf, type YuvLayout } from './yuv-pixels';

/** Pixels of a message, in its own encoding. */
export interface RawPixels extends Size {
  readonly data: Uint8Array;
  /** Bytes of a row. */
  readonly step: number;
  readonly isBigEndian: boolean;
}

/** How pixels are encoded. */
interface RawCoding {
  /** Bytes of a row without padding. */
  readonly rowBytes: (width: number) => number;
  /** Rows of bytes; absent: as many as rows of pixels. */
  readonly rows?: (height: number) => number;
  /** Whole multiples that width and height have. */
  readonly shared?: readonly [columns: number, rows: number];
  readonly toRgba: (pixels: RawPixels) => Uint8Array;
  /** Writes the colours of the pixels that were changed into a copy of the data. */
  readonly change: (out: Uint8Array, pixels: RawPixels, changed: Changed) => void;
}

/** The pixels that redaction has changed. */
interface Changed {
  readonly after: Raster['data'];
  /** @param each called with the place of each of them */
  forEach(each: (x: number, y: number) => void): void;
}

/** Luma of BT.601. */
const grey = (after: Raster['data'], at: number): number =>
  Math.round(0.299 * after[at]! + 0.587 * after[at + 1]! + 0.114 * after[at + 2]!);

/** @param order offsets of red, green and blue in a pixel; @param alpha that of its opacity, if it has one */
const channels = (order: readonly [number, number, number], alpha?: number): RawCoding => {
  const size = alpha === undefined ? 3 : 4;
  const [red, green, blue] = order;
  return {
    rowBytes: (width) => width * size,
    toRgba: ({ data, width, height, step }) => {
      const words = new Int32Array(width * height);
      for (let y = 0, at = 0; y < height; y++) {
        for (let x = 0, from = y * step; x < width; x++, from += size, at++) {
          words[at] = OPAQUE | (data[from + blue]! << 16) | (data[from + green]! << 8) | data[from + red]!;
        }
      }
      return new Uint8Array(words.buffer);
    },
    change: (out, { width, step }, { after, forEach }) =>
      forEach((x, y) => {
        const to = y * step + x * size;
        for (let i = 0; i < 3; i++) out[to + order[i]!] = after[(y * width + x) * RGBA + i]!;
        if (alpha !== undefined) out[to + alpha] = 255;
      }),
  };
};

const fillGrey = ({ width, height }: Size, levelAt: (x: number, y: number) => number): Uint8Array => {
  const out = new Uint8Array(width * height * RGBA).fill(255);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += RGBA) out.fill(levelAt(x, y), at, at + 3);
  }
  return out;
};

const MONO8: RawCoding = {
  rowBytes: (width) => width,
  toRgba: (pixels) => fillGrey(pixels, (x, y) => pixels.data[y * pixels.step + x]!),
  change: (out, { width, step }, { after, forEach }) =>
    forEach((x, y) => (out[y * step + x] = grey(after, (y * width + x) * RGBA))),
};

/** Value of 16 bits that is shown white: the largest one of the image, because cameras use 10 or 12 bits of them. */
const whiteOf = ({ data, width, height, step, isBigEndian }: RawPixels): number => {
  const view = viewOf(data);
  let white = 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) white = Math.max(white, view.getUint16(y * step + 2 * x, !isBigEndian));
  }
  return white;
};

const MONO16: RawCoding = {
  rowBytes: (width) => width * 2,
  toRgba: (pixels) => {
    const view = viewOf(pixels.data);
    const scale = 255 / whiteOf(pixels);
    return fillGrey(pixels, (x, y) => view.getUint16(y * pixels.step + 2 * x, !pixels.isBigEndian) * scale);
  },
  change: (out, pixels, { after, forEach }) => {
    const view = viewOf(out);
    const scale = whiteOf(pixels) / 255;
    const { width, step, isBigEndian } = pixels;
    forEach((x, y) => {
      const value = Math.round(grey(after, (y * width + x) * RGBA) * scale);
      view.setUint16(y * step + 2 * x, value, !isBigEndian);
    });
  },
};

/** Only the sample of a changed pixel itself is written: its neighbours keep theirs. */
const bayer = (pattern: BayerPattern): RawCoding => ({
  rowBytes: (width) => width,
  toRgba: (pixels) => rasterOfBayer(pixels.data, pixels, pattern),
  change: (out, { width, step }, { after, forEach }) =>
    forEach((x, y) => {
      out[y * step + x] = after[(y * width + x) * RGBA + channelAt(pattern, x, y)]!;
    }),
});

/** Chroma is that of the mean of all pixels that share it, as soon as one of them was changed. */
const yuv = (layout: YuvLayout, bytesOfPixel: number): RawCoding => {
  const [columns, rows] = layout.shared;
  const putChroma = (
    out: Uint8Array,
    { width, height, step }: RawPixels,
    changed: Changed,
    at: [number, number],
  ) => {
    const [left, top] = [at[0] - (at[0] % columns), at[1] - (at[1] % rows)];
    const mean = [0, 0, 0];
    for (let y = top; y < top + rows; y++) {
      for (let x = left; x < left + columns; x++) {
        for (let i = 0; i < 3; i++) {
          mean[i]! += changed.after[(y * width + x) * RGBA + i]! / (columns * rows);
        }
      }
    }
    const [, u, v] = yuvOf(mean[0]!, mean[1]!, mean[2]!);
    const [uAt, vAt] = layout.chroma(at[0], at[1], step, height);
    out[uAt] = u;
    out[vAt] = v;
  };
  return {
    rowBytes: (width) => width * bytesOfPixel,
    rows: layout.rows,
    shared: layout.shared,
    toRgba: ({ data, width, height, step }) => {
      const out = new Uint8Array(width * height * RGBA).fill(255);
      for (let y = 0, at = 0; y < height; y++) {
        for (let x = 0; x < width; x++, at += RGBA) {
          const [u, v] = layout.chroma(x, y, step, height);
          putRgb(out, at, [data[layout.y(x, y, step)]!, data[u]!, data[v]!]);
        }
      }
      return out;
    },
    change: (out, pixels, changed) =>
      changed.forEach((x, y) => {
        const at = (y * pixels.width + x) * RGBA;
        const { after } = changed;
        [out[layout.y(x, y, pixels.step)]] = yuvOf(after[at]!, after[at + 1]!, after[at + 2]!);
        putChroma(out, pixels, changed, [x, y]);
      }),
  };
};

const RGB = channels([0, 1, 2]);
const BGR = channels([2, 1, 0]);
const BGRA = channels([2, 1, 0], 3);

/** Encodings by the names of ROS and Foxglove; those of OpenCV mean what its images are in ROS. */
const CODINGS: Readonly<Record<string, RawCoding>> = {
  ...{ rgb8: RGB, bgr8: BGR, '8UC3': BGR, rgba8: channels([0, 1, 2], 3), bgra8: BGRA, '8UC4': BGRA },
  ...{ mono8: MONO8, '8UC1': MONO8, mono16: MONO16 },
  ...Object.fromEntries(Object.entries(BAYER).map(([name, pattern]) => [name, bayer(pattern)])),
  ...Object.fromEntries(
    Object.entries(YUV).map(([name, layout]) => [name, yuv(layout, name === 'nv12' ? 1 : 2)]),
  ),
};

const rowsOf = ({ rows = (height) => height }: RawCoding, { height }: Size): number => rows(height);

/** @throws MessageProblem where the encoding is not read, or the data do not fit the size */
export const requireRawPixels = (encoding: string, pixels: RawPixels): void => {
  const coding = Object.hasOwn(CODINGS, encoding) ? CODINGS[encoding] : undefined;
  if (!coding) throw new MessageProblem(`it has the encoding ${JSON.stringify(encoding)}`);
  const { width, height, step, data } = pixels;
  const [columns, rows] = coding.shared ?? [1, 1];
  const isWhole = width > 0 && height > 0 && width % columns === 0 && height % rows === 0;
  if (isWhole && step >= coding.rowBytes(width) && data.length >= step * rowsOf(coding, pixels)) return;
  throw new MessageProblem(`${data.length} bytes are no image of ${width} × ${height} pixels as ${encoding}`);
};

/** @throws MessageProblem */
export const rasterOfRaw = (encoding: string, pixels: RawPixels): Raster => {
  requireRawPixels(encoding, pixels);
  const { width, height } = pixels;
  return { width, height, data: CODINGS[encoding]!.toRgba(pixels) };
};

/**
 * The data of a message with the pixels that redaction has changed; all others keep their bytes. Bytes next to the
 * pixels become zero, because they could be anything.
 */
export const rawOfRaster = (encoding: string, pixels: RawPixels, after: Raster): Uint8Array => {
  const coding = CODINGS[encoding]!;
  const { data, width, height, step } = pixels;
  const out = new Uint8Array(data.length);
  const rowBytes = coding.rowBytes(width);
  for (let row = 0; row < rowsOf(coding, pixels); row++) {
    out.set(data.subarray(row * step, row * step + rowBytes), row * step);
  }
  const before = coding.toRgba(pixels);
  const forEach: Changed['forEach'] = (each) => {
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at += RGBA) {
        const isSame =
          before[at] === after.data[at] &&
          before[at + 1] === after.data[at + 1] &&
          before[at + 2] === after.data[at + 2];
        if (!isSame) each(x, y);
      }
    }
  };
  coding.change(out, pixels, { after: after.data, forEach });
  return out;
};
