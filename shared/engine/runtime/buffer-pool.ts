/**
 * Memory that is used again: finished frames leave theirs to the next ones.
 *
 * Megabytes for every frame are returned to the system late and in pieces, and each new page of them costs a fault.
 */
export interface BufferPool {
  /** @returns memory that holds anything: whoever takes it overwrites all of it */
  take(bytes: number): ArrayBuffer;
  /** Takes memory back: it must not be read any more. */
  give(memory: ArrayBuffer): void;
}

/** @param maxFreeBytes in buffers that wait to be used again; beyond it the oldest are left to the garbage collector */
export const createBufferPool = (maxFreeBytes: number): BufferPool => {
  const free: ArrayBuffer[] = [];
  let freeBytes = 0;
  const remove = (index: number): ArrayBuffer => {
    const [memory] = free.splice(index, 1) as [ArrayBuffer];
    freeBytes -= memory.byteLength;
    return memory;
  };
  return {
    take: (bytes) => {
      const index = free.findLastIndex(({ byteLength }) => byteLength === bytes);
      return index < 0 ? new ArrayBuffer(bytes) : remove(index);
    },
    give: (memory) => {
      if (free.includes(memory)) throw new Error('memory was given back twice');
      free.push(memory);
      freeBytes += memory.byteLength;
      while (freeBytes > maxFreeBytes) remove(0);
    },
  };
};
