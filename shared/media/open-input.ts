import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import type { ByteSource } from '../ports/video';

/** Containers that hold their media themselves. Playlists are left out: they can refer to other files or addresses. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM];
/** Memory for bytes that were read and may be read again. */
const CACHE_BYTES = 8 * 1024 ** 2;

/** Opens a demuxer; the caller disposes of it. */
export const openInput = (source: ByteSource): Input =>
  new Input({
    formats: FORMATS,
    source: new CustomSource({
      getSize: () => source.sizeBytes,
      read: (start, end) => source.read(start, end),
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: 'fileSystem',
      handleUnhandledError: () => undefined, // the same error rejects the read that needs these bytes
    }),
  });
