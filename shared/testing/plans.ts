import type { Box } from '../pipeline/boxes';
import type { Detection } from '../pipeline/detection';
import type { ObjectClass } from '../pipeline/object-class';
import { DEFAULT_THRESHOLDS, type ImageOptions } from '../pipeline/options';
import type { RedactionPlan, Shape } from '../pipeline/plan';
import { planRedaction } from '../pipeline/plan-redaction';

export const boxOf = (x1: number, y1: number, x2: number, y2: number): Box => ({ x1, y1, x2, y2 });

export const found = (objectClass: ObjectClass, box: Box, score = 0.9): Detection => ({
  objectClass,
  score,
  box,
});

/** Options that hide everything by blur, but for what a test changes. */
export const optionsWith = (changed: Partial<ImageOptions> = {}): ImageOptions => ({
  method: 'blur',
  classes: ['face', 'license-plate', 'person', 'vehicle'],
  thresholds: DEFAULT_THRESHOLDS,
  wholeBoxes: false,
  debug: false,
  score: false,
  tiling: { kind: 'whole' },
  ignores: [],
  ...changed,
});

/** The plan for some objects in a picture. */
export const planFor = (
  size: { readonly width: number; readonly height: number },
  detections: readonly Detection[],
  changed: Partial<ImageOptions> = {},
  masks: ReadonlyMap<Detection, Shape> = new Map(),
): RedactionPlan => planRedaction(size, detections, masks, optionsWith(changed));
