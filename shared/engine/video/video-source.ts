import type { ByteSource } from '../../ports/video';

/** How often a reading that failed is tried again (spec: Limits). */
const READ_RETRIES = 3;

const readWithRetries = async (source: ByteSource, start: number, end: number): Promise<Uint8Array> => {
  for (let retriesLeft = READ_RETRIES; ; retriesLeft--) {
    try {
      return await source.read(start, end);
    } catch (error) {
      if (retriesLeft === 0) throw error;
    }
  }
};

/** A source whose readings are tried again: disks on a network are slow to answer at times. */
export const retryReads = (source: ByteSource): ByteSource => ({
  ...source,
  read: (start, end) => readWithRetries(source, start, end),
});
