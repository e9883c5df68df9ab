import type { Detection } from '../../domain/detection';
import type { GivenObject } from '../../domain/given';
import { marginOf, type ImageOptions } from '../../domain/options';
import { methodOf, type RedactionPlan, type Region, type Shape } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import { planRedaction } from '../redact/plan-redaction';

/**
 * Where an export was hidden by the same method, its shape, cells and edge are used again. They have the margin of the
 * run that wrote it: one of this request grows the shape further, so that never less is hidden than it asks for.
 */
const asExported = (
  region: Region,
  { objectClass, redaction, shape }: GivenObject,
  plan: RedactionPlan,
  options: ImageOptions,
): Region => {
  if (!redaction || redaction.method !== methodOf(region, plan)) return region;
  if (marginOf(options, objectClass) > 1) return region;
  const { cellPx, featherPx } = redaction;
  return { ...region, shape: shape ?? region.shape, cellPx, featherPx };
};

/** Plans the redaction of objects that nothing was searched for: all of them are hidden, whatever their scores are. */
export const planGiven = (
  size: Size,
  objects: readonly GivenObject[],
  options: ImageOptions,
): RedactionPlan => {
  const shapes = new Map<Detection, Shape>();
  const detections = objects.map(({ objectClass, score, box, shape }) => {
    const detection: Detection = { objectClass, score, box };
    if (shape) shapes.set(detection, shape);
    return detection;
  });
  const plan = planRedaction(size, detections, shapes, options);
  return {
    ...plan,
    regions: plan.regions.map((region, at) => asExported(region, objects[at]!, plan, options)),
  };
};
