import { boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import { RGBA, type Raster } from '#shared/domain/raster';

/** Margin around an object, as a share of its longer side: as much as redaction reads. */
const MARGIN = 0.6;

export const marginOf = (box: Box): number => Math.round(MARGIN * Math.max(boxWidth(box), boxHeight(box)));

/** Cuts out the part of a photo with an object, so that attacks process only that part. */
export const cutOut = ({ width, height, data }: Raster, box: Box): { raster: Raster; box: Box } => {
  const margin = marginOf(box);
  const x1 = Math.max(0, Math.floor(box.x1) - margin);
  const y1 = Math.max(0, Math.floor(box.y1) - margin);
  const x2 = Math.min(width, Math.ceil(box.x2) + margin);
  const y2 = Math.min(height, Math.ceil(box.y2) + margin);
  const out = new Uint8Array((x2 - x1) * (y2 - y1) * RGBA);
  for (let y = y1; y < y2; y++) {
    const row = data.subarray(RGBA * (y * width + x1), RGBA * (y * width + x2));
    out.set(row, RGBA * (y - y1) * (x2 - x1));
  }
  const moved = { x1: box.x1 - x1, y1: box.y1 - y1, x2: box.x2 - x1, y2: box.y2 - y1 };
  return { raster: { width: x2 - x1, height: y2 - y1, data: out }, box: moved };
};
