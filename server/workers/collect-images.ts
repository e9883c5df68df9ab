import { getHeapStatistics } from 'node:v8';

/** Bytes outside V8's heap that count as a large image: one of 24 megapixels and its reduced levels. */
const MIN_BYTES = 128 * 1024 ** 2;

/**
 * Collects garbage if the calling thread holds a large image, at the end of the work on it.
 *
 * V8 would collect it only while the next image is decoded, so that both are in memory. After small images, it would
 * cost more time than it is worth.
 *
 * @param collect has no effect where the program was started without `--expose-gc`
 */
export const collectLargeImages = (
  heldBytes = getHeapStatistics().external_memory,
  collect = (): void => globalThis.gc?.(),
): void => {
  if (heldBytes >= MIN_BYTES) collect();
};
