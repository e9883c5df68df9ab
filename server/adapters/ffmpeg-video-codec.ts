import { videoCodec as portableCodec } from '#shared/media/video-codec';
import type { VideoCodec, VideoFrame } from '#shared/ports/video';
import { askCoders } from './ffmpeg-codec/ask-coders';
import { RawEncodedChunk } from './ffmpeg-codec/encoded-chunk';
import type { CoderSettings } from './ffmpeg-codec/settings';
import { FfmpegVideoDecoder } from './ffmpeg-codec/video-decoder';
import { FfmpegVideoEncoder } from './ffmpeg-codec/video-encoder';
import { RawColorSpace, RawVideoFrame } from './ffmpeg-codec/video-frame';
import type { Ffmpeg } from './find-ffmpeg';
import { installWebCodecs } from './install-web-codecs';

type Init<Coder extends new (settings: CoderSettings, init: never) => unknown> =
  ConstructorParameters<Coder>[1];

/**
 * WebCodecs classes on an ffmpeg program, for video only.
 *
 * Audio that has to be decoded is converted by ffmpeg completely: see `video-converter.ts`.
 */
const classesFor = (settings: CoderSettings) => ({
  VideoDecoder: class extends FfmpegVideoDecoder {
    constructor(init: Init<typeof FfmpegVideoDecoder>) {
      super(settings, init);
    }
    static isConfigSupported = async (config: VideoDecoderConfig) => ({
      config,
      supported: FfmpegVideoDecoder.supports(settings, config),
    });
  },
  VideoEncoder: class extends FfmpegVideoEncoder {
    constructor(init: Init<typeof FfmpegVideoEncoder>) {
      super(settings, init);
    }
    static isConfigSupported = async (config: VideoEncoderConfig) => ({
      config,
      supported: FfmpegVideoEncoder.supports(settings, config),
    });
  },
  VideoFrame: RawVideoFrame,
  VideoColorSpace: RawColorSpace,
  EncodedVideoChunk: RawEncodedChunk,
  EncodedAudioChunk: RawEncodedChunk,
  AudioData: undefined,
  AudioDecoder: undefined,
  AudioEncoder: undefined,
});

/**
 * The video codec on an installed ffmpeg program, for machines without the package `@napi-rs/webcodecs`.
 *
 * mediabunny handles containers, times, rotation and audio, as on every host. ffmpeg gets single packets and frames
 * through pipes, never a file.
 *
 * @param threads number of threads of each decoder and encoder
 */
export const createFfmpegVideoCodec = ({ path, version }: Ffmpeg, threads: number): VideoCodec => {
  let fault: Error | undefined;
  const onFault = (error: Error): void => void (fault ??= error);
  let asking: ReturnType<typeof askCoders> | undefined;
  /** The error to report: a failed start of ffmpeg is not a defect of the video. */
  const errorOf = (error: unknown): unknown => fault ?? error;
  const running: CoderSettings['running'] = new Set();
  const killAll = (): void => running.forEach((coder) => coder.kill());
  async function* watched(
    frames: AsyncIterable<VideoFrame>,
    signal: AbortSignal,
  ): AsyncGenerator<VideoFrame> {
    signal.addEventListener('abort', killAll);
    try {
      yield* frames;
    } catch (error) {
      signal.throwIfAborted();
      throw errorOf(error);
    } finally {
      signal.removeEventListener('abort', killAll);
    }
  }
  return {
    open: async (source, limits) => {
      asking ??= askCoders(path);
      const can = await asking.catch((error: unknown) => {
        asking = undefined;
        throw error;
      });
      fault = undefined;
      installWebCodecs(classesFor({ path, version, threads, can, running, onFault }));
      const reader = await portableCodec.open(source, limits);
      return { ...reader, frames: (signal, range) => watched(reader.frames(signal, range), signal) };
    },
  };
};
