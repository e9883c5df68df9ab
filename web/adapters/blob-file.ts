import type { UnfinishedFile } from '#shared/ports/storage';

/**
 * A file that is being written, made of blobs: the browser holds them outside the script's memory and may move them to
 * disk.
 *
 * Overwritten ranges are cut out of the blobs that contain them.
 */
export const createBlobFile = (keep: (file: Blob) => Promise<void>): UnfinishedFile => {
  let file = new Blob([]);
  return {
    write: async (position, bytes) => {
      const gap = new Uint8Array(Math.max(0, position - file.size));
      const end = position + bytes.byteLength;
      file = new Blob([file.slice(0, position), gap, bytes as Uint8Array<ArrayBuffer>, file.slice(end)]);
    },
    commit: () => keep(file),
    discard: async () => void (file = new Blob([])),
  };
};
