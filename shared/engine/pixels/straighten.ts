import type { Corner, Corners } from '../../domain/detection';
import { RGBA, type Raster } from '../../domain/raster';
import { squareToCorners } from './homography';

const CHANNELS = [0, 1, 2] as const;

/** The colour at a place between pixels, by bilinear interpolation; edge pixels repeat. */
export const sample = (
  { width, height, data }: Raster,
  [x, y]: Corner,
  out: Uint8Array,
  to: number,
): void => {
  const left = Math.min(width - 1, Math.max(0, x - 0.5));
  const top = Math.min(height - 1, Math.max(0, y - 0.5));
  const [x0, y0] = [Math.floor(left), Math.floor(top)];
  const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)];
  const [right, down] = [left - x0, top - y0];
  for (const channel of CHANNELS) {
    const at = (px: number, py: number): number => data[RGBA * (py * width + px) + channel] as number;
    const upper = at(x0, y0) * (1 - right) + at(x1, y0) * right;
    const lower = at(x0, y1) * (1 - right) + at(x1, y1) * right;
    out[to + channel] = Math.round(upper * (1 - down) + lower * down);
  }
  out[to + 3] = 255;
};

/** Cuts out a quadrilateral, and straightens it to this size. */
export const straighten = (raster: Raster, corners: Corners, width: number, height: number): Raster => {
  const project = squareToCorners(corners);
  const data = new Uint8Array(width * height * RGBA);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      sample(raster, project([(x + 0.5) / width, (y + 0.5) / height]), data, RGBA * (y * width + x));
    }
  }
  return { width, height, data };
};
