import type { ModelEntry } from '../../domain/manifest';
import { RUNS_AT_ONCE } from '../detect/detect';
import type { Detection } from '../../domain/boxes';
import { runAll } from '../runtime/in-parallel';
import type { Shape } from '../../domain/plan';
import type { Pyramid } from '../pixels/pyramid';
import { segmentObject } from './segment-object';
import { segmentPrompted } from './segment-prompted';
import type { Sessions } from '../inference/sessions';
import { shapeOfMasks } from './shape-of-map';

/**
 * Makes one object's mask: by a prompted network, by its detector's own mask, or by its class's mask networks;
 * undefined without any.
 */
const shapeOf = async (
  pyramid: Pyramid,
  detection: Detection,
  models: readonly ModelEntry[],
  sessions: Sessions,
): Promise<Shape | undefined> => {
  const ofClass = models.filter(({ classes }) => classes.includes(detection.objectClass));
  const prompted = ofClass.find(({ input }) => input.prompts !== undefined);
  if (prompted) return segmentPrompted(pyramid, detection, await sessions.get(prompted));
  const own = shapeOfMasks(detection, pyramid);
  if (own || ofClass.length === 0) return own;
  const loaded = await Promise.all(ofClass.map((entry) => sessions.get(entry)));
  return segmentObject(pyramid, detection, loaded);
};

/**
 * Makes masks of objects that have one from their detector, or a mask network for their class. Other objects are hidden
 * by the default shape of their class.
 *
 * @param models mask networks
 */
export const segment = async (
  pyramid: Pyramid,
  detections: readonly Detection[],
  models: readonly ModelEntry[],
  sessions: Sessions,
  signal: AbortSignal,
): Promise<ReadonlyMap<Detection, Shape>> => {
  const tasks = detections.map((detection) => async () => {
    signal.throwIfAborted();
    return [detection, await shapeOf(pyramid, detection, models, sessions)] as const;
  });
  const shapes = await runAll(tasks, RUNS_AT_ONCE);
  return new Map(shapes.flatMap(([detection, shape]) => (shape ? [[detection, shape] as const] : [])));
};
