import type { ByteSource, VideoCodec, VideoConverter, VideoLimits, VideoReader } from '../ports/video';
import { isReadDirectly, notAVideo, sniffVideo, VIDEO_HEAD_BYTES, type VideoFormat } from './sniff-video';
import { UnsupportedCoding } from './unreadable-file';

const MICROSECONDS = 1e6;
const BITS = 8;

/** Of the whole source: how much of it is audio is not known. */
const bitRateOf = ({ sizeBytes }: ByteSource, { frameCount, frameDurationUs }: VideoReader): number =>
  (sizeBytes * BITS * MICROSECONDS) / (frameCount * frameDurationUs);

/** A reader of the converted video, which goes when the reader is closed. */
const openConverted = async (
  codec: VideoCodec,
  converter: VideoConverter,
  source: ByteSource,
  format: VideoFormat,
  limits: VideoLimits,
  signal: AbortSignal,
): Promise<VideoReader> => {
  const converted = await converter.convert(source, format, limits, signal);
  try {
    const reader = await codec.open(converted.source, limits, signal);
    return {
      ...reader,
      ...(converted.isAudioReencoded && {
        copiedAudioTracks: 0,
        reencodedAudioTracks: reader.copiedAudioTracks + reader.reencodedAudioTracks,
      }),
      createWriter: (target, options) =>
        reader.createWriter(target, { ...options, sourceBitRate: bitRateOf(source, reader) }),
      discard: () => converted.discard(),
    };
  } catch (error) {
    await converted.discard();
    throw error;
  }
};

/** @returns undefined where the codec has no means for the video */
const openDirectly = async (
  codec: VideoCodec,
  source: ByteSource,
  limits: VideoLimits,
  signal: AbortSignal,
): Promise<VideoReader | undefined> => {
  try {
    return await codec.open(source, limits, signal);
  } catch (error) {
    if (error instanceof UnsupportedCoding) return undefined;
    throw error;
  }
};

/**
 * A codec that reads more: what it cannot read is converted first.
 *
 * What it can read never is, so that audio stays bit for bit and nothing waits.
 */
export const withConversion = (codec: VideoCodec, converter: VideoConverter): VideoCodec => ({
  open: async (source, limits, signal = new AbortController().signal) => {
    const head = await source.read(0, Math.min(VIDEO_HEAD_BYTES, source.sizeBytes));
    const format = sniffVideo(head, true);
    if (!format) throw notAVideo();
    const direct = isReadDirectly(format) ? await openDirectly(codec, source, limits, signal) : undefined;
    return direct ?? openConverted(codec, converter, source, format, limits, signal);
  },
});
