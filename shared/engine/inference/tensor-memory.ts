type Memory = ArrayBuffer | SharedArrayBuffer;
type Allocate = (bytes: number) => Memory;

/** As many as runs that are prepared or run at once; each becomes as large as the largest input. */
const MAX_FREE = 4;
/**
 * Larger inputs belong to images, or to frames that are searched completely: keeping them would cost more than it
 * saves.
 */
const MAX_KEPT_BYTES = 16 * 1024 ** 2;

let allocate: Allocate = (bytes) => new ArrayBuffer(bytes);
/** Smallest first. */
const free: Memory[] = [];

/** For a host whose models run in other threads, and can read inputs where they are. */
export const allocateTensorsBy = (by: Allocate): void => {
  allocate = by;
};

/**
 * Memory for a network's input: that of an earlier input, if a host has returned it.
 *
 * Whatever its size: inputs have many sizes, and shared memory is freed only when all threads have collected garbage.
 *
 * @returns numbers of any value: whoever takes them overwrites all of them
 */
export const takeTensorData = (length: number): Float32Array => {
  const bytes = length * Float32Array.BYTES_PER_ELEMENT;
  if (bytes > MAX_KEPT_BYTES) return new Float32Array(length);
  const fitting = free.findIndex(({ byteLength }) => byteLength >= bytes);
  // Where all are too small, the largest makes way.
  const [memory] = free.splice(fitting, 1);
  return new Float32Array(memory && fitting >= 0 ? memory : allocate(bytes), 0, length);
};

/** Takes an input's memory back: it must not be read any more. */
export const giveTensorMemory = (memory: Memory): void => {
  if (free.includes(memory)) return;
  free.push(memory);
  free.sort((a, b) => a.byteLength - b.byteLength);
  if (free.length > MAX_FREE) free.shift();
};
