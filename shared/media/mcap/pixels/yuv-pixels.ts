import { clamp } from '../../../domain/clamp';

/** Luma and chroma of BT.601 in the range of video, as ROS converts YUV. */
export type Yuv = readonly [y: number, u: number, v: number];

const byte = (value: number): number => clamp(Math.round(value), 0, 255);

/** Writes the colour of a pixel as RGB. */
export const putRgb = (out: Uint8Array, at: number, [y, u, v]: Yuv): void => {
  const luma = 1.164 * (y - 16);
  out[at] = byte(luma + 1.596 * (v - 128));
  out[at + 1] = byte(luma - 0.813 * (v - 128) - 0.391 * (u - 128));
  out[at + 2] = byte(luma + 2.018 * (u - 128));
};

export const yuvOf = (red: number, green: number, blue: number): Yuv => [
  byte(16 + 0.257 * red + 0.504 * green + 0.098 * blue),
  byte(128 - 0.148 * red - 0.291 * green + 0.439 * blue),
  byte(128 + 0.439 * red - 0.368 * green - 0.071 * blue),
];

/** Where a layout has the samples of a pixel: luma of its own, chroma shared with neighbours. */
export interface YuvLayout {
  /** Pixels in a row and rows that share chroma. */
  readonly shared: readonly [columns: number, rows: number];
  readonly rows: (height: number) => number;
  readonly y: (x: number, y: number, step: number) => number;
  /** Offsets of U and V for the pixels that share it. */
  readonly chroma: (x: number, y: number, step: number, height: number) => readonly [u: number, v: number];
}

const packed = (yAt: number, uAt: number, vAt: number): YuvLayout => ({
  shared: [2, 1],
  rows: (height) => height,
  y: (x, y, step) => y * step + 2 * x + yAt,
  chroma: (x, y, step) => [uAt, vAt].map((at) => y * step + 2 * (x & ~1) + at) as [number, number],
});

const UYVY = packed(1, 0, 2);
const YUYV = packed(0, 1, 3);
const NV12: YuvLayout = {
  shared: [2, 2],
  rows: (height) => height + height / 2,
  y: (x, y, step) => y * step + x,
  chroma: (x, y, step, height) => {
    const at = (height + (y >> 1)) * step + (x & ~1);
    return [at, at + 1];
  },
};

export const YUV: Readonly<Record<string, YuvLayout>> = {
  ...{ yuv422: UYVY, uyvy: UYVY, yuv422_yuy2: YUYV, yuyv: YUYV, nv12: NV12 },
};
