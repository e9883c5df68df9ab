import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withConversion } from '#shared/engine/video/convert-video';
import type { Log } from '#shared/ports/system';
import type { VideoCodec, VideoReader, VideoFrame } from '#shared/ports/video';
import { boundedQueue, collectClosedFrames, withKnownLevel } from './package-codecs';
import { probeCodecs, type CoderSettings } from './ffmpeg-codec/coder-process';
import { H264_ENCODER, FfmpegVideoEncoder } from './ffmpeg-codec/video-encoder';
import type { Ffmpeg } from './find-ffmpeg';
import { createVideoConverter } from './video-converter';
import { videoCodec as portableCodec } from '#shared/media/video-codec';
import { RawEncodedChunk, RawColorSpace, RawVideoFrame } from './ffmpeg-codec/video-frame';
import { FfmpegVideoDecoder } from './ffmpeg-codec/video-decoder';

/** The WebCodecs classes that mediabunny expects on `globalThis`, as in a browser. */
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
] as const;

/** Classes of WebCodecs; undefined where the host has no such class. */
type WebCodecs = Readonly<Record<(typeof CLASSES)[number], unknown>>;

/** Makes the classes global for mediabunny, replacing any that exist. */
export const installWebCodecs = (classes: WebCodecs): void => {
  for (const name of CLASSES) {
    Object.defineProperty(globalThis, name, { value: classes[name], configurable: true });
  }
};

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
  let asking: ReturnType<typeof probeCodecs> | undefined;
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
      asking ??= probeCodecs(path);
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

/**
 * Loads the optional package `@napi-rs/webcodecs`.
 *
 * @throws Error where it is not installed, or has no binary for this machine
 */
export const loadWebCodecs = async (): Promise<WebCodecs> => {
  const { VideoDecoder, ...others } = await import('@napi-rs/webcodecs');
  collectClosedFrames(others.VideoFrame.prototype);
  return {
    ...others,
    VideoDecoder: class extends VideoDecoder {
      override get decodeQueueSize(): number {
        return boundedQueue(super.decodeQueueSize);
      }
      override configure(config: Parameters<typeof VideoDecoder.isConfigSupported>[0]): void {
        super.configure(withKnownLevel(config));
      }
      static override isConfigSupported = (config: Parameters<typeof VideoDecoder.isConfigSupported>[0]) =>
        VideoDecoder.isConfigSupported(withKnownLevel(config));
    },
  };
};

/** Interval of a timer that only has to exist; its length does not matter. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Makes the classes of that package global.
 *
 * Their work does not keep Node's event loop alive, so a thread that waits only for them would end. Therefore a timer
 * runs until they are released.
 *
 * @returns releases them
 */
export const holdWebCodecs = async (): Promise<() => void> => {
  installWebCodecs(await loadWebCodecs());
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
  return () => clearInterval(keepAlive);
};

/** The video codec on the package `@napi-rs/webcodecs`, which contains FFmpeg's decoders and encoders. */
export const videoCodec: VideoCodec = {
  open: async (source, limits): Promise<VideoReader> => {
    const release = await holdWebCodecs();
    try {
      const reader = await portableCodec.open(source, limits);
      return {
        ...reader,
        close: () => {
          release();
          reader.close();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  },
};

/** What decodes and encodes videos: the optional package `@napi-rs/webcodecs`, or an installed ffmpeg. */
export type VideoBackend = 'package' | 'ffmpeg';

const PACKAGE = '@napi-rs/webcodecs';

/**
 * Loads the package in a process that ends at once.
 *
 * Not here: where two threads of a process have loaded it, it corrupts the process's memory when frames are copied
 * (version 1.3.1), which then ends after some thousand frames. So in each process one thread alone loads it.
 *
 * @throws Error where the package is not installed, or has no binary for this machine
 */
const loadElsewhere = async (): Promise<void> => {
  const script = `import(${JSON.stringify(import.meta.resolve(PACKAGE))})`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `await ${script}`]);
};

const hasPackage = (load: () => Promise<unknown>): Promise<boolean> =>
  load().then(
    () => true,
    () => false,
  );

/** Whether an ffmpeg works and has the H.264 encoder. */
const canEncode = async ({ path }: Ffmpeg): Promise<boolean> =>
  (await probeCodecs(path).catch(() => undefined))?.encode(H264_ENCODER) ?? false;

/**
 * Finds the codecs and converters for videos on this machine.
 *
 * @param load loads the package, without an effect on this process
 * @returns undefined where there are none, so that only images can be anonymised
 */
export const findVideoBackend = async (
  ffmpeg: Ffmpeg | undefined,
  load: () => Promise<unknown> = loadElsewhere,
): Promise<VideoBackend | undefined> => {
  if (await hasPackage(load)) return 'package';
  return ffmpeg && (await canEncode(ffmpeg)) ? 'ffmpeg' : undefined;
};

/** @param threads number of threads of each ffmpeg decoder and encoder */
export const createVideoCodec = (
  means: VideoBackend,
  ffmpeg: Ffmpeg | undefined,
  threads: number,
  log: Log,
): VideoCodec => {
  if (!ffmpeg) return videoCodec;
  const codec = means === 'package' ? videoCodec : createFfmpegVideoCodec(ffmpeg, threads);
  return withConversion(codec, createVideoConverter(ffmpeg, log));
};
