import sharp from 'sharp';

/** An image in the form in which tests compare it: upright sRGB, 3 bytes per pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export const readPixels = async (file: Uint8Array): Promise<Pixels> => {
  const image = sharp(file).rotate().flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha();
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
};

/** Whether a test compares the pixel at x, y. */
export type Where = (x: number, y: number) => boolean;
type BoundingBox = readonly [number, number, number, number];

export const insideAny =
  (boxes: readonly BoundingBox[], marginPx = 0): Where =>
  (x, y) =>
    boxes.some(
      ([x1, y1, x2, y2]) =>
        x >= x1 - marginPx && x < x2 + marginPx && y >= y1 - marginPx && y < y2 + marginPx,
    );

/** The middle half of each box in both directions, which no soft edge reaches. */
export const coreOfAny = (boxes: readonly BoundingBox[]): Where =>
  insideAny(
    boxes.map(([x1, y1, x2, y2]) => {
      const [dx, dy] = [(x2 - x1) / 4, (y2 - y1) / 4];
      return [x1 + dx, y1 + dy, x2 - dx, y2 - dy] as const;
    }),
  );

/** Mean absolute difference of the channels, 0..255, over the pixels that `where` selects. */
export const meanDifference = (a: Pixels, b: Pixels, where: Where): number => {
  let [sum, count] = [0, 0];
  for (let i = 0; i < a.width * a.height; i += 1) {
    if (!where(i % a.width, Math.floor(i / a.width))) continue;
    for (let channel = 0; channel < 3; channel += 1) {
      sum += Math.abs((a.data[i * 3 + channel] ?? 0) - (b.data[i * 3 + channel] ?? 0));
      count += 1;
    }
  }
  return sum / count;
};
