import type { NumberedDetection } from '../../domain/edits/edits';
import type { RedactionPlan } from '../../domain/plan';
import type { Task } from '../../domain/task';
import { numberFound } from '../../engine/edits/edit-plan';
import type { Storage } from '../../ports/storage';
import { readFirstPlan, readStoredResult, type StoredResult } from '../files/task-files';
import { hasFramePlans, readVideoResult, type StoredVideoResult } from '../files/video-files';

/** What edits of an image start from. */
export interface ImageBase {
  readonly kind: 'image';
  readonly plan: RedactionPlan;
  readonly result: StoredResult;
  /** All objects that the detectors found, whether or not they are hidden. */
  readonly found: readonly NumberedDetection[];
}

/** What edits of a video start from. */
export interface VideoBase {
  readonly kind: 'video';
  readonly result: StoredVideoResult;
}

/** @returns undefined where no plan is stored: the result cannot be edited */
export const readEditBase = async (
  storage: Storage,
  { id, kind }: Task,
): Promise<ImageBase | VideoBase | undefined> => {
  if (kind === 'video') {
    const result = await readVideoResult(storage, id);
    return result?.anonymised && (await hasFramePlans(storage, id)) ? { kind, result } : undefined;
  }
  const [result, plan] = await Promise.all([readStoredResult(storage, id), readFirstPlan(storage, id)]);
  if (!result || !plan) return undefined;
  return { kind, plan, result, found: numberFound(plan) };
};
