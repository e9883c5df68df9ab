import type { Box } from '../domain/boxes';
import type { Detection } from '../domain/detection';
import type { ObjectClass } from '../domain/object-class';
import { DEFAULT_THRESHOLDS, type ImageOptions } from '../domain/options';
import type { RedactionPlan, Shape } from '../domain/plan';
import { planRedaction } from '../engine/redact/plan-redaction';

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
