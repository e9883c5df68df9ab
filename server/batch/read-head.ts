import { open } from 'node:fs/promises';
import { VIDEO_HEAD_BYTES } from '#shared/engine/formats/sniff-video';

/** The first bytes of a file, as many as decide its format. */
export const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(VIDEO_HEAD_BYTES), 0, VIDEO_HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
