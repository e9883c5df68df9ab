import { open, stat } from 'node:fs/promises';
import type { VideoFiles } from '#shared/ports/engine';

export interface OpenedFiles extends VideoFiles {
  close(): Promise<void>;
}

/** Opens a video on disk and the file for its result, both of which are read and written in pieces. */
export const openVideoFiles = async (from: string, to: string): Promise<OpenedFiles> => {
  const [input, output] = await Promise.all([open(from), open(to, 'w')]);
  const { size } = await stat(from);
  return {
    source: {
      sizeBytes: size,
      read: async (start, end) => {
        // Not from Node's buffer pool, because the buffer itself is passed to the engine's thread.
        const bytes = new Uint8Array(end - start);
        await input.read(bytes, 0, bytes.byteLength, start);
        return bytes;
      },
    },
    target: {
      write: async (position, bytes) => void (await output.write(bytes, 0, bytes.byteLength, position)),
    },
    report: async () => undefined,
    close: async () => {
      await Promise.all([input.close(), output.close()]);
    },
  };
};
