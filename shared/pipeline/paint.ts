import { boxHeight, boxWidth } from './boxes';
import type { Coverage } from './coverage';
import { RGBA, type Raster } from './raster';

/**
 * Fills one row of new colours: RGB triplets for the covered rectangle's width.
 *
 * @param y row inside the rectangle
 */
export type RowPainter = (y: number, colours: Float32Array) => void;

/** Lays new colours over the picture, as strongly as `coverage` says; fully hidden pixels keep nothing of the old. */
export const paint = (raster: Raster, { box, alpha }: Coverage, paintRow: RowPainter): void => {
  const width = boxWidth(box);
  const colours = new Float32Array(width * 3);
  const { data } = raster;
  for (let y = 0; y < boxHeight(box); y++) {
    paintRow(y, colours);
    let at = ((box.y1 + y) * raster.width + box.x1) * RGBA;
    for (let x = 0; x < width; x++, at += RGBA) {
      const cover = alpha[y * width + x] as number;
      if (cover === 0) continue;
      for (let channel = 0; channel < 3; channel++) {
        const fresh = colours[3 * x + channel] as number;
        const old = data[at + channel] as number;
        data[at + channel] = Math.round(cover === 255 ? fresh : old + ((fresh - old) * cover) / 255);
      }
    }
  }
};
