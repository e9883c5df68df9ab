import { coverRegion, type Coverage } from './coverage';
import { drawOverlay } from './debug-overlay';
import type { Method } from './options';
import type { RedactionPlan, Region } from './plan';
import type { Raster } from './raster';
import { redactBlacken } from './redact-blacken';
import { redactBlur } from './redact-blur';
import { redactPixelate } from './redact-pixelate';

type Redactor = (raster: Raster, coverage: Coverage, cellPx: number) => void;

const REDACTORS = {
  blur: redactBlur,
  pixelate: redactPixelate,
  blacken: redactBlacken,
  detect: () => undefined,
} as const satisfies Record<Method, Redactor>;

/**
 * Hides a plan's regions, in place.
 *
 * Regions are worked on one after another over what the ones before left: where they overlap, less survives, never
 * more.
 */
export const redact = (raster: Raster, plan: RedactionPlan): void => {
  if (raster.width !== plan.width || raster.height !== plan.height) {
    throw new Error('the plan was made for a picture of another size');
  }
  const redactRegion = REDACTORS[plan.method];
  const inOrder: readonly Region[] = plan.regions;
  for (const region of inOrder) redactRegion(raster, coverRegion(region, plan), region.cellPx);
  if (plan.debug) drawOverlay(raster, plan);
};
