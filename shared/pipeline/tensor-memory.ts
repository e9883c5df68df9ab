import { createBufferPool } from './buffer-pool';

/** Two inputs of the largest usual size: frames are searched at few sizes, again and again. */
const MAX_FREE_BYTES = 48 * 1024 ** 2;

/** Memory of network inputs, given back by hosts that got it for themselves and need it no more. */
export const tensorMemory = createBufferPool(MAX_FREE_BYTES);
