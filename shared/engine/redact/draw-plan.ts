import type { Edits } from '../../domain/edits/edits';
import type { ImageOptions } from '../../domain/options';
import type { RedactionPlan } from '../../domain/plan';
import type { Raster } from '../../domain/raster';
import { redact } from './redact';

// What writes over images is loaded when it is first needed: few of them have codes or an overlay.

/**
 * A plan with the codes that are written over its masks, where the upload asks for them.
 *
 * @param edits in force; objects of frames are named by their tracks
 */
export const labelPlan = async (
  plan: RedactionPlan,
  options: ImageOptions,
  edits: Edits = {},
): Promise<RedactionPlan> =>
  options.reasonLabels ? (await import('./reason-labels')).withReasonLabels(plan, options, edits) : plan;

/**
 * Hides a plan's regions, and writes over the image what the plan asks for, in place.
 *
 * @see redact
 */
export const drawPlan = async (
  raster: Raster,
  plan: RedactionPlan,
  onRegion?: Parameters<typeof redact>[2],
): Promise<void> => {
  redact(raster, plan, onRegion);
  if (plan.debug) (await import('./debug-overlay')).drawOverlay(raster, plan);
  if (plan.labels) (await import('./reason-labels')).drawReasonLabels(raster, plan.labels);
};
