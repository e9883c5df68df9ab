import { videoCodec as portableCodec } from '#shared/media/video-codec';
import type { VideoCodec, VideoReader } from '#shared/ports/video';
import { installWebCodecs, type WebCodecs } from './install-web-codecs';

/**
 * Loads the optional package `@napi-rs/webcodecs`.
 *
 * @throws Error where it is not installed, or has no binary for this machine
 */
export const loadWebCodecs = (): Promise<WebCodecs> => import('@napi-rs/webcodecs');

/** Interval of a timer that only has to exist; its length does not matter. */
const KEEP_ALIVE_MS = 60_000;

/**
 * The video codec on the package `@napi-rs/webcodecs`, which contains FFmpeg's decoders and encoders.
 *
 * Their work does not keep Node's event loop alive, so a thread that waits only for them would end. Therefore a timer
 * runs as long as a video is open.
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
