import { thresholdIn } from '#shared/domain/options';
import { editOf } from '../edit-history';
import type { MediaItem } from '../media-item';
import type { UncertainObject } from './uncertain-object';

/** Scores further away from the threshold of their class are certain enough. */
export const NEAR_THRESHOLD = 0.2;

/** 1 at the threshold, 0 from `NEAR_THRESHOLD` on. */
export const nearness = (distance: number): number => Math.max(0, 1 - Math.abs(distance) / NEAR_THRESHOLD);

/**
 * Detections and candidates of an image whose score is near the threshold of their class. Those that a person has
 * changed before are decided already.
 */
export const imageDoubts = ({
  id: fileId,
  result,
  settings,
  edits,
}: MediaItem): readonly UncertainObject[] => {
  const found = result?.revisable?.found;
  if (!found || !settings) return [];
  return found.flatMap(({ id, detection: { objectClass, score, box } }) => {
    const distance = score - thresholdIn(settings.thresholds, objectClass);
    const uncertainty = nearness(distance);
    const isWanted = settings.classes.includes(objectClass) && !editOf(edits.present, id);
    if (!isWanted || uncertainty === 0) return [];
    const doubt = distance < 0 ? ('below-threshold' as const) : ('above-threshold' as const);
    const target = { kind: 'object', id } as const;
    return [{ fileId, key: `object ${id}`, doubt, uncertainty, objectClass, score, box, target }];
  });
};
