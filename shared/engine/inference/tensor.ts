import type { ModelInput } from '../../domain/manifest';
import type { Tensor } from '../../ports/inference';
import type { Letterbox } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { resample } from '../pixels/resample';

type Memory = ArrayBuffer | SharedArrayBuffer;
type Allocate = (bytes: number) => Memory;

/** Maximum number of free buffers: one for each prepared or running run. Each grows to the largest input. */
const MAX_FREE = 4;
/**
 * Maximum size of a kept buffer. Larger inputs are rare (images, completely searched frames), and keeping them would
 * waste memory.
 */
const MAX_KEPT_BYTES = 16 * 1024 ** 2;

let allocate: Allocate = (bytes) => new ArrayBuffer(bytes);
/** Free buffers, smallest first. */
const free: Memory[] = [];
const lent = new WeakSet<Memory>();

/** Sets the allocator, for a host whose models run in other threads and read inputs from shared memory. */
export const allocateTensorsBy = (by: Allocate): void => {
  allocate = by;
};

/**
 * Returns memory for a network's input, if possible that of an earlier input.
 *
 * The sizes need not be equal: inputs have many sizes, and shared memory is freed only after garbage collection in all
 * threads.
 *
 * @returns an array with any content, which the caller overwrites completely
 */
export const takeTensorData = (length: number): Float32Array => {
  const bytes = length * Float32Array.BYTES_PER_ELEMENT;
  if (bytes > MAX_KEPT_BYTES) return new Float32Array(length);
  const fitting = free.findIndex(({ byteLength }) => byteLength >= bytes);
  // If all are too small, the largest one is removed.
  const [kept] = free.splice(fitting, 1);
  const memory = kept && fitting >= 0 ? kept : allocate(bytes);
  lent.add(memory);
  return new Float32Array(memory, 0, length);
};

/** Takes an input's memory back; the caller must not use it any more. Memory from elsewhere is left alone. */
export const giveTensorMemory = (memory: Memory): void => {
  if (!lent.delete(memory)) return;
  free.push(memory);
  free.sort((a, b) => a.byteLength - b.byteLength);
  if (free.length > MAX_FREE) free.shift();
};

/** Mirrors each row of all planes. */
const mirror = (data: Float32Array, width: number): void => {
  for (let start = 0; start < data.length; start += width) data.subarray(start, start + width).reverse();
};

/** @returns float32 `[1, 3, netHeight, netWidth]`, planes in the input's order, `(value − mean) / std` */
export const toTensor = (
  pyramid: Pyramid,
  fit: Letterbox,
  input: Pick<ModelInput, 'mean' | 'std' | 'channels' | 'padding'>,
): Tensor => {
  const data = takeTensorData(3 * fit.netWidth * fit.netHeight);
  resample(pyramid, fit, input, data);
  if (fit.isMirrored) mirror(data, fit.netWidth);
  return { data, dims: [1, 3, fit.netHeight, fit.netWidth] };
};
