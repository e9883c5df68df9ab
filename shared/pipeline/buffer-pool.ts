/**
 * Memory that is used again: what frames are done with holds the frames that come.
 *
 * Megabytes for every frame are returned to the system late and in pieces, and each new page of them costs a fault.
 */
export interface BufferPool {
  /** @returns memory that holds anything: whoever takes it overwrites all of it */
  take(bytes: number): ArrayBuffer;
  /** Takes memory back. */
  give(memory: ArrayBufferLike): void;
}

/**
 * @param maxFreeBytes in buffers that wait to be used again; beyond it the oldest are left to the garbage collector
 * @param move transfers memory that is given back to another `ArrayBuffer`: a view that somebody kept is empty then, and
 *   can neither show nor change what comes next. To be left out where nobody can have one.
 */
export const createBufferPool = (
  maxFreeBytes: number,
  move: (memory: ArrayBuffer) => ArrayBuffer = (memory) => memory,
): BufferPool => {
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
      if (!(memory instanceof ArrayBuffer) || memory.byteLength === 0) return;
      const moved = move(memory);
      if (moved.byteLength > maxFreeBytes) return;
      free.push(moved);
      freeBytes += moved.byteLength;
      while (freeBytes > maxFreeBytes) remove(0);
    },
  };
};
