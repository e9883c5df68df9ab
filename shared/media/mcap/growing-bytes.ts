/** Bytes that are appended one after another. */
export interface GrowingBytes {
  add(part: Uint8Array): void;
  length(): number;
  /** Valid until more is added. */
  bytes(): Uint8Array;
}

/**
 * Collects bytes in one piece of memory: as arrays of their own, the millions of small messages that a chunk may have
 * would need ten times as much.
 *
 * @param expectedBytes room for so many from the start
 */
export const createGrowingBytes = (expectedBytes = 64): GrowingBytes => {
  let memory = new Uint8Array(expectedBytes);
  let length = 0;
  return {
    add: (part) => {
      if (length + part.length > memory.length) {
        const larger = new Uint8Array(Math.max(2 * memory.length, length + part.length));
        larger.set(memory.subarray(0, length));
        memory = larger;
      }
      memory.set(part, length);
      length += part.length;
    },
    length: () => length,
    bytes: () => memory.subarray(0, length),
  };
};
