/**
 * Reuses memory: the buffers of finished frames are given to later ones.
 *
 * Garbage collection frees megabytes for each frame late, and every new page of memory causes a page fault.
 */
export interface BufferPool {
  /** @returns memory with any content, which the caller overwrites completely */
  take(bytes: number): ArrayBuffer;
  /** Takes memory back; the caller must not use it any more. */
  give(memory: ArrayBuffer): void;
}

/** @param maxFreeBytes maximum total size of free buffers; beyond it the oldest are left to the garbage collector */
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
      if (free.includes(memory)) throw new Error('a buffer was returned twice');
      free.push(memory);
      freeBytes += memory.byteLength;
      while (freeBytes > maxFreeBytes) remove(0);
    },
  };
};
