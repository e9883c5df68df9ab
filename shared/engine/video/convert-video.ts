import type {
  ByteSource,
  ConvertedAudio,
  ConvertedVideo,
  VideoCodec,
  VideoConverter,
  VideoFrame,
  VideoLimits,
  VideoReader,
} from '../../ports/video';
import { readAviHeader, type AviHeader } from '../formats/avi-header';
import { createFrameGaps } from './frame-gaps';
import { notAVideo, sniffVideo, VIDEO_HEAD_BYTES } from '../formats/sniff-video';
import { isReadDirectly, type VideoFormat } from '../../domain/video-format';
import { UnsupportedCoding } from '../../domain/unreadable-file';
import { US_PER_SECOND } from '../../domain/time-units';

const BITS = 8;

const ANY_FORMAT = { takesVideo: true, convertsVideo: true } as const;

/** Bit rate of the video before conversion, in bits per second; includes the audio if its share is unknown. */
const bitRateOf = (
  { sizeBytes }: ByteSource,
  { videoBytes = sizeBytes }: ConvertedVideo,
  { frameCount, frameDurationUs }: VideoReader,
): number => (Math.min(videoBytes, sizeBytes) * BITS * US_PER_SECOND) / (frameCount * frameDurationUs);

/**
 * A reader of the converted video that also reports the losses of the conversion; `discard` deletes the converted file.
 */
const readConverted = (
  reader: VideoReader,
  converted: ConvertedVideo,
  source: ByteSource,
  header: AviHeader | undefined,
): VideoReader => {
  const isDamaged = converted.isDamaged || header?.isCutOff === true;
  const gaps = createFrameGaps();
  let framesReturned = 0;
  async function* counted(frames: AsyncIterable<VideoFrame>): AsyncGenerator<VideoFrame> {
    for await (const frame of frames) {
      gaps.add(frame.timestampUs);
      framesReturned++;
      yield frame;
    }
  }
  /**
   * Frames lost before the reader. Undecodable frames also leave gaps, so the maximum of the counts applies, not the
   * sum.
   */
  const lostInConversion = (lostByReader: number): number => {
    const missing = header ? header.frames - framesReturned - lostByReader : 0;
    return Math.max(converted.undecodedFrames, gaps.missing(), missing);
  };
  return {
    ...reader,
    ...(converted.isAudioReencoded && {
      copiedAudioTracks: 0,
      reencodedAudioTracks: reader.copiedAudioTracks + reader.reencodedAudioTracks,
    }),
    frames: (signal) => counted(reader.frames(signal)),
    lostFrames: () => {
      const lostByReader = reader.lostFrames();
      return lostByReader + (isDamaged ? lostInConversion(lostByReader) : 0);
    },
    createWriter: (target, options) =>
      reader.createWriter(target, { ...options, sourceBitRate: bitRateOf(source, converted, reader) }),
    discard: () => converted.discard(),
  };
};

interface Sniffed {
  readonly format: VideoFormat;
  /** Undefined for other formats than AVI. */
  readonly header: AviHeader | undefined;
}

const openConverted = async (
  codec: VideoCodec,
  converter: VideoConverter,
  source: ByteSource,
  { format, header }: Sniffed,
  limits: VideoLimits,
  signal: AbortSignal,
  onConverting: (share: number) => void,
): Promise<VideoReader> => {
  onConverting(0);
  const converted = await converter.convert(source, format, limits, signal, onConverting);
  try {
    return readConverted(await codec.open(converted.source, limits, signal), converted, source, header);
  } catch (error) {
    await converted.discard();
    throw error;
  }
};

/** The same reader, with the audio tracks that it cannot copy converted by ffmpeg. */
const withAllAudio = async (
  reader: VideoReader,
  convertAudio: (tracks: readonly number[]) => Promise<ConvertedAudio | undefined>,
): Promise<VideoReader> => {
  const { droppedAudioTracks: tracks } = reader;
  if (tracks.length === 0) return reader;
  const discard = async (): Promise<void> => reader.discard?.();
  try {
    const converted = await convertAudio(tracks);
    if (!converted) return reader;
    return {
      ...reader,
      reencodedAudioTracks: reader.reencodedAudioTracks + tracks.length,
      droppedAudioTracks: [],
      createWriter: (target, options) =>
        reader.createWriter(target, { ...options, audioInstead: converted.source }),
      discard: async () => {
        await converted.discard();
        await discard();
      },
    };
  } catch (error) {
    reader.close();
    await discard();
    throw error;
  }
};

/** @returns undefined if the codec cannot read the video */
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
 * A codec that converts videos which the inner codec cannot read.
 *
 * Readable videos are never converted, so that audio is copied bit for bit and no time is lost; only their unreadable
 * audio tracks are converted.
 */
export const withConversion = (codec: VideoCodec, converter: VideoConverter): VideoCodec => ({
  openDirectly: async (source, limits, signal) => {
    const format = sniffVideo(await source.read(0, Math.min(VIDEO_HEAD_BYTES, source.sizeBytes)), ANY_FORMAT);
    if (!format) throw notAVideo();
    if (!isReadDirectly(format)) throw new UnsupportedCoding(format);
    return codec.open(source, limits, signal);
  },
  open: async (source, limits, signal = new AbortController().signal, onConverting = () => undefined) => {
    const head = await source.read(0, Math.min(VIDEO_HEAD_BYTES, source.sizeBytes));
    const format = sniffVideo(head, ANY_FORMAT);
    if (!format) throw notAVideo();
    const header = format === 'avi' ? readAviHeader(head, source.sizeBytes) : undefined;
    const direct = isReadDirectly(format) ? await openDirectly(codec, source, limits, signal) : undefined;
    const reader =
      direct ??
      (await openConverted(codec, converter, source, { format, header }, limits, signal, onConverting));
    return withAllAudio(reader, (tracks) => {
      onConverting(0);
      const request = { format, tracks, keepsTimes: direct !== undefined };
      return converter.convertAudio(source, request, limits, signal, onConverting);
    });
  },
});
