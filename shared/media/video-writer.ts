import {
  type StreamTargetChunk,
  Mp4OutputFormat,
  Output,
  Quality,
  StreamTarget,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import { i420Bytes, i420OfRaster, paddingOf } from '../engine/pixels/yuv';
import type { ByteTarget, VideoFrame, VideoWriter } from '../ports/video';
import type { KeptInVideo } from '../domain/kept-in-video';
import type { Size } from '../domain/raster';
import { addAudio, type AudioFeed, type AudioTrack } from './audio-tracks';
import { createRateControl } from './rate-control';
import { encodeAtRate } from './rated-encoder';
import { yuvCodingOf } from './sample-raster';
import type { Survey } from './survey-frames';
import { HDTV } from './tone-tables';
import { US_PER_SECOND } from '../domain/plan';
import { describeVideo } from './video-entry';

/** H.264 quantizer, from 0 (lossless) to 51. This value shows no visible loss. */
const QUANTIZER = 22;
/** Bit rate relative to the source's, for encoders that support no quantizer. */
const FALLBACK_BIT_RATE = 1.5;
const KEY_FRAME_SECONDS = 2;
/** Lowest rate that all encoders accept, in frames per second: time lapses have less. */
const MIN_RATE = 1;
/** Bytes of a write. */
const CHUNK_BYTES = 2 * 1024 ** 2;

export interface WriterSettings {
  /** Audio tracks in the order of the source. */
  readonly audio: readonly AudioTrack[];
  /** Survey of the source's video track. */
  readonly survey: Survey;
  readonly keepBitRate: boolean;
  /** Whether it is an equirectangular panorama. */
  readonly isSphere: boolean;
  /** What stays of the source's metadata; undefined: nothing. */
  readonly kept: KeptInVideo | undefined;
  /** Colour space of the frames; undefined until the first one is decoded. */
  readonly colorSpace: () => VideoColorSpaceInit | undefined;
  /** Width of a pixel over its height. */
  readonly pixelAspect: number;
  /** Called after the file was finished or cancelled. */
  readonly onEnd: () => void;
}

const qualityOf = ({ keepBitRate, survey: { bitRate } }: WriterSettings): Quality =>
  keepBitRate
    ? new Quality({ bitrate: Math.max(1, Math.round(bitRate)), bitrateMode: 'variable' })
    : new Quality({ quantizer: QUANTIZER, bitrate: Math.ceil(bitRate * FALLBACK_BIT_RATE) });

const createVideoSource = (settings: WriterSettings): VideoSampleSource => {
  const control = settings.keepBitRate ? createRateControl(settings.survey) : undefined;
  return new VideoSampleSource({
    codec: 'avc',
    quality: qualityOf(settings),
    keyFrameInterval: KEY_FRAME_SECONDS,
    onEncoderConfig: (config) => {
      // Encoders divide bits among frames by this rate, and assume 30 frames per second without it.
      config.framerate = Math.max(MIN_RATE, 1 / settings.survey.frameSeconds);
      if (control) encodeAtRate(config, control);
    },
  });
};

/** @param memory receives the converted frame; the sample copies it */
const sampleOf = (
  frame: VideoFrame,
  memory: Uint8Array<ArrayBuffer>,
  { colorSpace, pixelAspect }: WriterSettings,
): VideoSample => {
  const tags = colorSpace();
  const coding = tags && yuvCodingOf(tags);
  const image = i420OfRaster(frame.raster, coding ?? HDTV, memory);
  const { width, height, data } = image;
  return new VideoSample(data as Uint8Array<ArrayBuffer>, {
    format: 'I420',
    codedWidth: width,
    codedHeight: height,
    timestamp: frame.timestampUs / US_PER_SECOND,
    duration: frame.durationUs / US_PER_SECOND,
    colorSpace: coding ? tags : HDTV,
    ...(pixelAspect === 1 ? {} : { displayWidth: Math.round(width * pixelAspect), displayHeight: height }),
  });
};

const streamTo = (target: ByteTarget): StreamTarget =>
  new StreamTarget(
    new WritableStream<StreamTargetChunk>({
      write: ({ data, position }) => target.write(position, data),
    }),
    { chunked: true, chunkSize: CHUNK_BYTES },
  );

/** The index of a file, its last box. */
interface WrittenIndex {
  readonly moov: Uint8Array;
  /** Offset in the file. */
  readonly position: number;
}

/** The bytes from the index on, with what the library does not write; the same index where there is nothing. */
const describe = async (
  { moov, position }: WrittenIndex,
  visible: Size,
  { isSphere, kept }: WriterSettings,
): Promise<Uint8Array> => {
  const isUsual = !isSphere && paddingOf(visible).every((px) => px === 0);
  const described = isUsual ? moov : describeVideo(moov, { visible, isSphere });
  if (!kept) return described;
  // Loaded only where it is asked for: most results have no metadata.
  const { keepInMovie } = await import('./kept-boxes');
  return keepInMovie(described, kept, position);
};

/** Writes an MP4 file with its index at the end, so that media are written as they arrive. */
export const createVideoWriter = async (
  target: ByteTarget,
  settings: WriterSettings,
): Promise<VideoWriter> => {
  let index: WrittenIndex | undefined;
  let size: Size | undefined;
  const format = new Mp4OutputFormat({
    fastStart: false,
    onMoov: (data, position) => (index = { moov: data.slice(), position }),
  });
  const output = new Output({ format, target: streamTo(target) });
  const video = createVideoSource(settings);
  output.addVideoTrack(video);
  const feeds: AudioFeed[] = [];
  for (const track of settings.audio) feeds.push(await addAudio(track, output));
  await output.start();
  const encodedAudio = settings.audio.flatMap(({ encoding }) => encoding ?? []);
  let memory: Uint8Array<ArrayBuffer> | undefined;
  const feedUntil = async (seconds: number): Promise<void> => {
    for (const feed of feeds) await feed.feedUntil(seconds);
  };
  return {
    ...(encodedAudio.length > 0 && { encodedAudio }),
    add: async (frame) => {
      await feedUntil(frame.timestampUs / US_PER_SECOND);
      size ??= { width: frame.raster.width, height: frame.raster.height };
      memory ??= new Uint8Array(i420Bytes(frame.raster));
      using sample = sampleOf(frame, memory, settings);
      await video.add(sample);
    },
    finish: async () => {
      await feedUntil(Infinity);
      await output.finalize();
      // The index is the last box of the file, so it may grow.
      if (index && size) {
        const described = await describe(index, size, settings);
        if (described !== index.moov) await target.write(index.position, described);
      }
      settings.onEnd();
    },
    cancel: async () => {
      await output.cancel();
      settings.onEnd();
    },
  };
};
