import { open } from 'node:fs/promises';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';

/** The first bytes of a file, as many as decide its format. */
export const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
