import type {
  ByteSource,
  ConversionRequest,
  ConvertedAudio,
  ConvertedVideo,
  VideoCodec,
  VideoConverter,
  VideoFrame,
  VideoLimits,
  VideoReader,
} from '../../ports/video';
import type { Size } from '../../domain/raster';
import { cropInPlace } from '../pixels/upright';
import { paddingOf } from '../pixels/yuv';
import { readAsfHeader, readAviHeader, type StatedLength } from '../formats/stated-length';
import { createConversionLosses } from './conversion-losses';
import { notAVideo, recogniseVideo, HEAD_BYTES } from '../formats/recognise';
import { isReadDirectly, type VideoFormat } from '../../catalogue/formats';
import { findVideoMetadata } from '../formats/video-metadata';
import { UnsupportedCoding } from '../../domain/failure';
import { US_PER_SECOND } from '../../domain/plan';

const BITS = 8;

const ANY_FORMAT = { takesVideo: true, convertsVideo: true } as const;

/** Bit rate of the video before conversion, in bits per second; includes the audio if its share is unknown. */
const bitRateOf = (
  { sizeBytes }: ByteSource,
  { videoBytes = sizeBytes }: ConvertedVideo,
  { frameCount, frameDurationUs }: VideoReader,
): number => (Math.min(videoBytes, sizeBytes) * BITS * US_PER_SECOND) / (frameCount * frameDurationUs);

interface Sniffed {
  readonly format: VideoFormat;
  /** Undefined for formats whose header is not read here. */
  readonly stated: StatedLength | undefined;
}

const HEADER_READERS: Partial<
  Record<VideoFormat, (head: Uint8Array, sizeBytes: number) => StatedLength | undefined>
> = { avi: readAviHeader, asf: readAsfHeader };

const sniff = (head: Uint8Array, { sizeBytes }: ByteSource): Sniffed | undefined => {
  const format = recogniseVideo(head, { takesVideo: true, convertsVideo: true });
  if (!format) return undefined;
  return { format, stated: HEADER_READERS[format]?.(head, sizeBytes) };
};

/** Whether the converter has added a column or a row to frames of this size. */
const isPadded = (padded: Size, size: Size | undefined): size is Size =>
  size !== undefined &&
  paddingOf(size).some((px) => px > 0) &&
  padded.width === size.width + paddingOf(size)[0] &&
  padded.height === size.height + paddingOf(size)[1];

/** Apple's spatial sound, which no ffmpeg decodes. A usual track is next to it. */
const UNREADABLE_AUDIO = 'apac';

/** The tracks that are not in the converted copy count as dropped, too. Nobody converts these, so numbers do not matter. */
const droppedAudio = (
  { droppedAudioTracks, droppedAudioCodecs = [] }: VideoReader,
  { unreadableAudio }: ConvertedVideo,
): Partial<Pick<VideoReader, 'droppedAudioTracks' | 'droppedAudioCodecs'>> =>
  unreadableAudio.length > 0
    ? {
        droppedAudioTracks: [...droppedAudioTracks, ...unreadableAudio.keys()],
        droppedAudioCodecs: [...droppedAudioCodecs, ...unreadableAudio],
      }
    : {};

/**
 * A reader of the converted video that also reports the losses of the conversion; `discard` deletes the converted file.
 */
const readConverted = (
  reader: VideoReader,
  converted: ConvertedVideo,
  source: ByteSource,
  { format, stated }: Sniffed,
): VideoReader => {
  const losses = createConversionLosses(converted, format, stated);
  const size = isPadded(reader, converted.size) ? converted.size : undefined;
  async function* counted(frames: AsyncIterable<VideoFrame>): AsyncGenerator<VideoFrame> {
    for await (const frame of frames) {
      losses.add(frame);
      yield size ? { ...frame, raster: cropInPlace(frame.raster, size) } : frame;
    }
  }
  return {
    ...reader,
    ...size,
    ...droppedAudio(reader, converted),
    ...(converted.isAudioReencoded && {
      copiedAudioTracks: 0,
      reencodedAudioTracks: reader.copiedAudioTracks + reader.reencodedAudioTracks,
    }),
    frames: (signal) => counted(reader.frames(signal)),
    lostFrames: () => {
      const lostByReader = reader.lostFrames();
      return lostByReader + losses.lost(lostByReader);
    },
    isLossUncertain: losses.isUncertain,
    createWriter: (target, options) =>
      reader.createWriter(target, { ...options, sourceBitRate: bitRateOf(source, converted, reader) }),
    discard: () => converted.discard(),
  };
};

/** A video that is converted before it is read. */
interface Conversion {
  readonly request: ConversionRequest;
  readonly source: ByteSource;
  readonly sniffed: Sniffed;
  readonly signal: AbortSignal;
  readonly onConverting: (share: number) => void;
}

const openConverted = async (
  codec: VideoCodec,
  converter: VideoConverter,
  { source, sniffed, request, signal, onConverting }: Conversion,
): Promise<VideoReader> => {
  onConverting(0);
  const converted = await converter.convert(source, request, signal, onConverting);
  // What ffmpeg says of times refers to the first one.
  const durationS = request.keepsTimes ? undefined : converted.durationS;
  try {
    const reader = await codec.open(converted.source, request.limits, signal);
    const found = await findVideoMetadata(source, request.format);
    return { ...readConverted(reader, { ...converted, durationS }, source, sniffed), found };
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
  const { droppedAudioTracks: tracks, droppedAudioCodecs, ...rest } = reader;
  if (tracks.length === 0 || droppedAudioCodecs?.includes(UNREADABLE_AUDIO)) return reader;
  const discard = async (): Promise<void> => reader.discard?.();
  try {
    const converted = await convertAudio(tracks);
    if (!converted) return reader;
    return {
      ...rest,
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

/** @returns what is known of the video if the codec cannot read it */
const openDirectly = async (
  codec: VideoCodec,
  source: ByteSource,
  limits: VideoLimits,
  signal: AbortSignal,
): Promise<VideoReader | UnsupportedCoding> => {
  try {
    return await codec.open(source, limits, signal);
  } catch (error) {
    if (error instanceof UnsupportedCoding) return error;
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
    const format = recogniseVideo(await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes)), ANY_FORMAT);
    if (!format) throw notAVideo();
    if (!isReadDirectly(format)) throw new UnsupportedCoding(format);
    return codec.open(source, limits, signal);
  },
  open: async (source, limits, signal = new AbortController().signal, onConverting = () => undefined) => {
    const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes));
    const sniffed = sniff(head, source);
    if (!sniffed) throw notAVideo();
    const { format } = sniffed;
    const direct = isReadDirectly(format)
      ? await openDirectly(codec, source, limits, signal)
      : new UnsupportedCoding(format);
    const isConverted = direct instanceof UnsupportedCoding;
    const keepsTimes = !isConverted || direct.startS > 0;
    const reader = isConverted
      ? await openConverted(codec, converter, {
          request: { format, limits, isHdr: direct.isHdr, keepsTimes },
          ...{ source, sniffed, signal, onConverting },
        })
      : direct;
    return withAllAudio(reader, (tracks) => {
      onConverting(0);
      const request = { format, limits, tracks, keepsTimes };
      return converter.convertAudio(source, request, signal, onConverting);
    });
  },
});
