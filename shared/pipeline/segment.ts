import type { ModelEntry } from '../catalogue/manifest';
import type { Detection } from './detection';
import type { Shape } from './plan';
import type { Pyramid } from './pyramid';
import { segmentPerson } from './segment-person';
import type { Sessions } from './sessions';

/**
 * Outlines the objects for whose class there are mask models; the others are hidden by their class's plain shape.
 *
 * @param models the mask models of persons
 */
export const segment = async (
  pyramid: Pyramid,
  detections: readonly Detection[],
  models: readonly ModelEntry[],
  sessions: Sessions,
  signal: AbortSignal,
): Promise<ReadonlyMap<Detection, Shape>> => {
  const shapes = new Map<Detection, Shape>();
  if (models.length === 0) return shapes;
  for (const detection of detections) {
    if (detection.objectClass !== 'person') continue;
    signal.throwIfAborted();
    const loaded = await Promise.all(models.map((entry) => sessions.get(entry)));
    const outline = await segmentPerson(pyramid, detection.box, loaded);
    if (outline) shapes.set(detection, outline);
  }
  return shapes;
};
