import type { Coverage } from './coverage';
import { paint } from './paint';
import type { Raster } from './raster';

/** Replaces what is covered by opaque black. */
export const redactBlacken = (raster: Raster, coverage: Coverage): void => {
  paint(raster, coverage, (_y, from, to, colours) => {
    colours.fill(0, 3 * from, 3 * to);
  });
};
