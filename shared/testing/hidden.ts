import { boxWidth } from '../domain/boxes';
import type { Raster } from '../domain/raster';
import { rasteriseRegion } from '../engine/redact/coverage';
import type { RedactionPlan } from '../domain/plan';
import { redact } from '../engine/redact/redact';
import { copyRaster } from './rasters';

/** A copy of the image with the plan's objects hidden. */
export const redacted = (raster: Raster, plan: RedactionPlan): Raster => {
  const copy = copyRaster(raster);
  redact(copy, plan);
  return copy;
};

/** Maximum alpha of all regions at each pixel, 0..255, row by row. */
export const coverOf = (plan: RedactionPlan): Uint8Array => {
  const cover = new Uint8Array(plan.width * plan.height);
  for (const region of plan.regions) {
    const { box, alpha } = rasteriseRegion(region, plan);
    alpha.forEach((value, i) => {
      const x = box.x1 + (i % boxWidth(box));
      const at = (box.y1 + Math.floor(i / boxWidth(box))) * plan.width + x;
      cover[at] = Math.max(cover[at] as number, value);
    });
  }
  return cover;
};
