import type { Box } from '../domain/boxes';
import type { Detection } from '../domain/detection';
import type { Size } from '../domain/raster';
import { defaultImageOptions, type ImageOptions } from '../domain/options';
import type { ObjectClass } from '../catalogue/classes';
import type { RedactionPlan, Shape } from '../domain/plan';
import { planRedaction } from '../engine/redact/plan-redaction';

export const boxOf = (x1: number, y1: number, x2: number, y2: number): Box => ({ x1, y1, x2, y2 });

export const found = (objectClass: ObjectClass, box: Box, score = 0.9): Detection => ({
  objectClass,
  score,
  box,
});

/** The plan for some objects in an image. */
export const planFor = (
  size: Size,
  detections: readonly Detection[],
  changed: Partial<ImageOptions> = {},
  masks: ReadonlyMap<Detection, Shape> = new Map(),
): RedactionPlan => planRedaction(size, detections, masks, defaultImageOptions(changed));
