import type { FileHandle } from 'node:fs/promises';

/** Writes all of `bytes`, because one write may be partial on a nearly full disk. @param position in bytes */
export const writeAt = async (file: FileHandle, position: number, bytes: Uint8Array): Promise<void> => {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
};
