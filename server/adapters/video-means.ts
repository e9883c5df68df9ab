import { withConversion } from '#shared/engine/video/convert-video';
import type { Log } from '#shared/ports/log';
import type { VideoCodec } from '#shared/ports/video';
import { askCoders } from './ffmpeg-codec/ask-coders';
import { H264_ENCODER } from './ffmpeg-codec/video-encoder';
import { createFfmpegVideoCodec } from './ffmpeg-video-codec';
import type { Ffmpeg } from './find-ffmpeg';
import { loadWebCodecs, videoCodec } from './video-codec';
import { createVideoConverter } from './video-converter';

/** What decodes and encodes videos: the optional package `@napi-rs/webcodecs`, or an installed ffmpeg. */
export type VideoMeans = 'package' | 'ffmpeg';

const hasPackage = (load: () => Promise<unknown>): Promise<boolean> =>
  load().then(
    () => true,
    () => false,
  );

/** Whether an ffmpeg works and has the H.264 encoder. */
const canEncode = async ({ path }: Ffmpeg): Promise<boolean> =>
  (await askCoders(path).catch(() => undefined))?.encode(H264_ENCODER) ?? false;

/**
 * Finds the codecs and converters for videos on this machine.
 *
 * @param load imports the package
 * @returns undefined where there are none, so that only images can be anonymised
 */
export const findVideoMeans = async (
  ffmpeg: Ffmpeg | undefined,
  load: () => Promise<unknown> = loadWebCodecs,
): Promise<VideoMeans | undefined> => {
  if (await hasPackage(load)) return 'package';
  return ffmpeg && (await canEncode(ffmpeg)) ? 'ffmpeg' : undefined;
};

/** @param threads number of threads of each ffmpeg decoder and encoder */
export const createVideoCodec = (
  means: VideoMeans,
  ffmpeg: Ffmpeg | undefined,
  threads: number,
  log: Log,
): VideoCodec => {
  if (!ffmpeg) return videoCodec;
  const codec = means === 'package' ? videoCodec : createFfmpegVideoCodec(ffmpeg, threads);
  return withConversion(codec, createVideoConverter(ffmpeg, log));
};
