import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import type { ByteSource } from '../ports/video';

/** Containers that hold their media themselves: no playlist that could lead to another file or address. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM];
/** Of what was read, so much is kept for the next reading. */
const CACHE_BYTES = 8 * 1024 ** 2;

/** Opens a demuxer; its owner disposes of it. */
export const openInput = (source: ByteSource): Input =>
  new Input({
    formats: FORMATS,
    source: new CustomSource({
      getSize: () => source.sizeBytes,
      read: (start, end) => source.read(start, end),
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: 'fileSystem',
      handleUnhandledError: () => undefined, // the reading that needs those bytes fails, too
    }),
  });
