import { boxWidth } from './boxes';
import { forEachCoveredSpan, type Coverage } from './coverage';
import { RGBA, type Raster } from './raster';

/**
 * Writes new colours for a span of one row: RGB triplets at `colours[3 * x]`, from ≤ x < to.
 *
 * Row and columns count from the covered rectangle's corner.
 */
export type SpanPainter = (y: number, from: number, to: number, colours: Float32Array) => void;

/** Lays new colours over the picture, as strongly as `coverage` says; fully hidden pixels keep nothing of the old. */
export const paint = (raster: Raster, coverage: Coverage, paintSpan: SpanPainter): void => {
  const { box, alpha } = coverage;
  const width = boxWidth(box);
  const colours = new Float32Array(width * 3);
  const { data } = raster;
  forEachCoveredSpan(coverage, (imageY, imageFrom, imageTo) => {
    const y = imageY - box.y1;
    const from = imageFrom - box.x1;
    const to = imageTo - box.x1;
    paintSpan(y, from, to, colours);
    let at = (imageY * raster.width + imageFrom) * RGBA;
    for (let x = from; x < to; x++, at += RGBA) {
      const cover = alpha[y * width + x] as number;
      for (let channel = 0; channel < 3; channel++) {
        const fresh = colours[3 * x + channel] as number;
        const old = data[at + channel] as number;
        const value = cover === 255 ? fresh : old + ((fresh - old) * cover) / 255;
        /* Rounded here: clamped and plain byte arrays round differently. */
        data[at + channel] = (value + 0.5) | 0;
      }
    }
  });
};
