import { statfs } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '#shared/api/contract/errors';

export interface ReserveOptions {
  /** Folders whose disks fill with uploads and results. */
  readonly folders: readonly string[];
  /** Free space that uploads leave there. */
  readonly reserveBytes: number;
  readonly maxUploadBytes: number;
  /** Free space of the disk of a folder, in bytes. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** Keeps a part of the disks free. */
export interface DiskReserve {
  /**
   * Receives a body, if there is room for all of it next to the bodies that are being received.
   *
   * @throws ApiError `disk_reserve` before anything of it is read
   */
  receive<T>(request: Pick<IncomingMessage, 'headers' | 'socket'>, work: () => Promise<T>): Promise<T>;
}

/** @returns `Infinity` where it is unknown: writing to a full disk has an error of its own */
const freeBytesOf = async (folder: string): Promise<number> => {
  const found = await statfs(folder).catch(() => undefined);
  // Some network file systems report no size at all.
  return found && found.blocks > 0 ? found.bavail * found.bsize : Infinity;
};

export const createDiskReserve = ({
  folders,
  reserveBytes,
  maxUploadBytes,
  freeBytes = freeBytesOf,
}: ReserveOptions): DiskReserve => {
  /** Bytes that each body still needs. */
  const expected = new Set<() => number>();
  const refuseWithoutRoom = async (): Promise<void> => {
    // Before anything is awaited: of two bodies that arrive together, the first one gets the room.
    const needed = [...expected].reduce((sum, remaining) => sum + remaining(), 0);
    const free = Math.min(...(await Promise.all(folders.map(freeBytes))));
    if (free - needed < reserveBytes) throw new ApiError('disk_reserve');
  };
  return {
    receive: async ({ headers, socket }, work) => {
      const claimed = Number(headers['content-length'] ?? maxUploadBytes);
      const before = socket.bytesRead;
      // A body that is too large is refused for that.
      const total = claimed <= maxUploadBytes ? claimed : 0;
      const remaining = (): number => Math.max(0, total - (socket.bytesRead - before));
      expected.add(remaining);
      try {
        await refuseWithoutRoom();
        return await work();
      } finally {
        expected.delete(remaining);
      }
    },
  };
};
