import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { RGBA, type Raster } from '../../domain/raster';
import { around } from './positions';

/** Calls `copy` for each stretch of a part's row that is continuous in the panorama: byte offsets and length. */
const eachStretch = (
  { width }: Raster,
  { x1, y1, x2, y2 }: Box,
  copy: (inPanorama: number, inPart: number, bytes: number) => void,
): void => {
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2;) {
      const column = around(x, width);
      const count = Math.min(x2 - x, width - column);
      copy((y * width + column) * RGBA, ((y - y1) * (x2 - x1) + x - x1) * RGBA, count * RGBA);
      x += count;
    }
  }
};

/** Copies a part of a panorama. @param box whole px; it may reach over the left and right edge */
export const cutAround = (panorama: Raster, box: Box): Raster => {
  const [width, height] = [boxWidth(box), boxHeight(box)];
  const data = new Uint8Array(width * height * RGBA);
  eachStretch(panorama, box, (from, to, bytes) => data.set(panorama.data.subarray(from, from + bytes), to));
  return { width, height, data };
};

/** Writes a part of a panorama back to the place from which it was cut. */
export const pasteAround = (panorama: Raster, part: Raster, box: Box): void =>
  eachStretch(panorama, box, (to, from, bytes) =>
    panorama.data.set(part.data.subarray(from, from + bytes), to),
  );
