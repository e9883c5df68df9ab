import { hides } from '../../catalogue/methods';
import { coverArea, rasteriseAcrossSeam, createReusedBytes, wrapCoverage, type Coverage } from './coverage';
import { methodOf, numberedAreas, type RedactionPlan } from '../../domain/plan';
import type { Raster } from '../../domain/raster';
import type { MaskedRegion } from './mask';
import { hideInPanorama } from './hide-in-panorama';
import { REDACTORS } from './redactors';

/**
 * Hides a plan's regions, in place.
 *
 * Regions are applied one after another, each to the result of the ones before: overlaps contain less information,
 * never more.
 *
 * @param onRegion receives the coverage of each region, so that masks need not rasterise it again; the next one uses its
 *   memory
 */
export const redact = (
  raster: Raster,
  plan: RedactionPlan,
  onRegion: (region: MaskedRegion, coverage: Coverage) => void = () => undefined,
): void => {
  if (raster.width !== plan.width || raster.height !== plan.height) {
    throw new Error('the plan was made for an image of another size');
  }
  const allocate = createReusedBytes();
  for (const region of plan.regions) {
    if (region.shown !== undefined) continue;
    const coverage = rasteriseAcrossSeam(region, plan, allocate);
    const method = methodOf(region, plan);
    if (plan.wraps && hides(method)) hideInPanorama(raster, coverage, region, REDACTORS[method].redact);
    else REDACTORS[method].redact(raster, coverage, region);
    onRegion(region, plan.wraps ? wrapCoverage(coverage, plan.width) : coverage);
  }
  for (const area of numberedAreas(plan)) {
    const coverage = coverArea(area, plan, allocate);
    REDACTORS[methodOf(area, plan)].redact(raster, coverage, area);
    onRegion(area, coverage);
  }
};
