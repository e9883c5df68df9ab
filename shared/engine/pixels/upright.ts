import { RGBA, type Raster } from '../../domain/raster';

/** How a video's pictures are to be turned, clockwise, then mirrored left to right. */
export interface Turn {
  readonly rotation: 0 | 90 | 180 | 270;
  readonly flip: boolean;
}

/** Pixel of the source that comes to (x, y) of the upright picture. */
const sourcePixel = (x: number, y: number, { width, height }: Raster, rotation: Turn['rotation']): number => {
  switch (rotation) {
    case 0:
      return y * width + x;
    case 90:
      return (height - 1 - x) * width + y;
    case 180:
      return (height - 1 - y) * width + (width - 1 - x);
    case 270:
      return x * width + (width - 1 - y);
  }
};

/**
 * The picture as it is to be seen; the raster itself where nothing is to be turned.
 *
 * @param allocate gives the memory for the turned picture, whatever it holds
 */
export const turnUpright = (
  raster: Raster,
  { rotation, flip }: Turn,
  allocate: (bytes: number) => ArrayBuffer,
): Raster => {
  if (rotation === 0 && !flip) return raster;
  const isTurned = rotation === 90 || rotation === 270;
  const width = isTurned ? raster.height : raster.width;
  const height = isTurned ? raster.width : raster.height;
  const data = new Uint8Array(allocate(width * height * RGBA));
  const to = new Uint32Array(data.buffer);
  const from = new Uint32Array(raster.data.buffer, raster.data.byteOffset, raster.width * raster.height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const unflippedX = flip ? width - 1 - x : x;
      to[y * width + x] = from[sourcePixel(unflippedX, y, raster, rotation)] as number;
    }
  }
  return { width, height, data };
};
