import type { Task } from '../../domain/task';
import type { ServiceSettings } from '../base/settings';
import { createWeightedQueue, type WeightedQueue } from '../base/weighted-queue';

/** Memory of an image in work, for each of its pixels: 12 to 17 bytes were measured at 50 and 134 megapixels. */
const BYTES_PER_PIXEL = 24;

/** So many smaller images may start while one waits for its room, so that they neither wait for it nor it for ever. */
const MAX_OVERTAKING = 32;

/**
 * Estimated bytes that a task takes while it is worked on. Videos take none: of these a few frames are in memory.
 *
 * What is not known counts as the largest that is accepted.
 */
export const memoryOf = (
  { kind, header }: Pick<Task, 'kind' | 'header'>,
  { maxPixels }: Pick<ServiceSettings['limits'], 'maxPixels'>,
): number => (kind === 'image' ? (header ? header.width * header.height : maxPixels) * BYTES_PER_PIXEL : 0);

/** Where tasks wait until there is room for their images. An image that is larger than the whole budget is alone. */
export const createImageQueue = (
  { memoryBudgetBytes = Infinity }: Pick<ServiceSettings, 'memoryBudgetBytes'>,
  slots = Infinity,
): WeightedQueue =>
  createWeightedQueue({ capacity: memoryBudgetBytes, slots, maxOvertaking: MAX_OVERTAKING });
