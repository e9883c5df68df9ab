import type { Coverage } from './coverage';
import { paint } from './paint';
import { wordOf, type Raster } from '../../domain/raster';

const BLACK = wordOf(0, 0, 0);

/** Replaces covered pixels by opaque black. */
export const redactBlacken = (raster: Raster, coverage: Coverage): void => {
  paint(raster, coverage, (_y, from, to, colours) => {
    colours.fill(BLACK, from, to);
  });
};
