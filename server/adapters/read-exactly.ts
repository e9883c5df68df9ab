import type { FileHandle } from 'node:fs/promises';

/** @param end exclusive, in bytes. @throws RangeError where the file ends before it */
export const readExactly = async (file: FileHandle, start: number, end: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(end - start);
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesRead } = await file.read(bytes, done, bytes.byteLength - done, start + done);
    if (bytesRead === 0) throw new RangeError('The file ends before the requested bytes.');
    done += bytesRead;
  }
  return bytes;
};
