import * as webcodecs from '@napi-rs/webcodecs';
import { videoCodec as portableCodec } from '#shared/media/video-codec';
import type { VideoCodec, VideoReader } from '#shared/ports/video';

/** What mediabunny looks for on `globalThis`, as it finds it in a browser. */
const CLASSES = [
  'VideoDecoder',
  'VideoEncoder',
  'VideoFrame',
  'VideoColorSpace',
  'EncodedVideoChunk',
  'EncodedAudioChunk',
  'AudioData',
  'AudioDecoder',
  'AudioEncoder',
] as const satisfies readonly (keyof typeof webcodecs)[];

const install = (): void => {
  for (const name of CLASSES) {
    Object.defineProperty(globalThis, name, { value: webcodecs[name], configurable: true });
  }
};

/** Any time: it only has to be there. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Videos on FFmpeg's decoders and encoders.
 *
 * A thread that waits for nothing but them would end: they do not count as work of Node's. So a timer runs for as long
 * as a video is open.
 */
export const videoCodec: VideoCodec = {
  open: async (source, limits): Promise<VideoReader> => {
    install();
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
