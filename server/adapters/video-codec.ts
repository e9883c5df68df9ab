import { videoCodec as portableCodec } from '#shared/media/video-codec';
import type { VideoCodec, VideoReader } from '#shared/ports/video';
import { installWebCodecs, type WebCodecs } from './install-web-codecs';

/**
 * Loads the optional package with decoders and encoders.
 *
 * @throws where it is not installed, or has no binary for this machine
 */
export const loadWebCodecs = (): Promise<WebCodecs> => import('@napi-rs/webcodecs');

/** Any time: it only has to be there. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Videos on FFmpeg's decoders and encoders, as the package `@napi-rs/webcodecs` has them.
 *
 * A thread that waits for nothing but them would end: they do not count as work of Node's. So a timer runs for as long
 * as a video is open.
 */
export const videoCodec: VideoCodec = {
  open: async (source, limits): Promise<VideoReader> => {
    installWebCodecs(await loadWebCodecs());
    const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
    try {
      const reader = await portableCodec.open(source, limits);
      return {
        ...reader,
        close: () => {
          clearInterval(keepAlive);
          reader.close();
        },
      };
    } catch (error) {
      clearInterval(keepAlive);
      throw error;
    }
  },
};
