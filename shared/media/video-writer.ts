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
import type { Size } from '../domain/raster';
import { addAudio, type AudioFeed, type AudioTrack } from './audio-tracks';
import { createRateControl } from './rate-control';
import { encodeAtRate } from './rated-encoder';
import { yuvCodingOf } from './sample-raster';
import type { Survey } from './survey-frames';
import { HDTV } from './tone-tables';
import { US_PER_SECOND } from '../domain/plan';
import { viewOf } from '../engine/formats/bytes';
import { boxesIn, type Mp4Box } from '../engine/formats/mp4-boxes';

const HEADER_BYTES = 8;
const CONTAINERS: readonly string[] = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
/** Version, flags and number of entries before the first entry of `stsd`. */
const STSD_BYTES = 8;
/** Offsets of width and height, in whole px, in the sample entry of a video. */
const ENTRY = { width: 32, height: 34 } as const;
const VIDEO_ENTRY = 'avc1';

const join = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
};

const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const body = join(content);
  const header = new Uint8Array(HEADER_BYTES);
  viewOf(header).setUint32(0, HEADER_BYTES + body.byteLength);
  header.set(new TextEncoder().encode(type), 4);
  return join([header, body]);
};

/** The `clap` box: the upper left `visible` pixels of the coded ones. */
const cleanAperture = (visible: Size, coded: Size): Uint8Array => {
  // Fractions: width, height, and the offsets of the centre.
  const numbers = [
    ...[visible.width, 1, visible.height, 1],
    ...[visible.width - coded.width, 2, visible.height - coded.height, 2],
  ];
  const content = new Uint8Array(numbers.length * 4);
  numbers.forEach((value, i) => viewOf(content).setInt32(i * 4, value));
  return box('clap', content);
};

/** The description of the video with a `clap` box; other descriptions unchanged. */
const withClap = (stsd: Uint8Array, visible: Size): Uint8Array => {
  const [entry] = [...boxesIn(stsd, STSD_BYTES, stsd.byteLength)];
  if (entry?.type !== VIDEO_ENTRY) return stsd;
  const view = viewOf(stsd);
  const at = entry.start - HEADER_BYTES;
  const coded = {
    width: view.getUint16(at + ENTRY.width),
    height: view.getUint16(at + ENTRY.height),
  };
  const content = stsd.subarray(entry.start, entry.end);
  return join([stsd.subarray(0, STSD_BYTES), box(VIDEO_ENTRY, content, cleanAperture(visible, coded))]);
};

const rebuild = (bytes: Uint8Array, { type, start, end }: Mp4Box, visible: Size): Uint8Array => {
  if (type === 'stsd') return box(type, withClap(bytes.subarray(start, end), visible));
  if (!CONTAINERS.includes(type)) return bytes.subarray(start - HEADER_BYTES, end);
  return box(type, ...[...boxesIn(bytes, start, end)].map((child) => rebuild(bytes, child, visible)));
};

/**
 * Adds the size without padding to the index of an MP4 file, as a clean aperture: players that support it crop the
 * padding. H.264 itself can crop only even numbers of pixels.
 *
 * @param moov the whole box
 * @param visible size of the frames without padding at their right and lower edges
 * @see ISO/IEC 14496-12, section 12.1.4
 */
const withCleanAperture = (moov: Uint8Array, visible: Size): Uint8Array =>
  join([...boxesIn(moov, 0, moov.byteLength)].map((child) => rebuild(moov, child, visible)));

/** H.264 quantizer, from 0 (lossless) to 51. This value shows no visible loss. */
const QUANTIZER = 22;
/** Bit rate relative to the source's, for encoders that support no quantizer. */
const FALLBACK_BIT_RATE = 1.5;
const KEY_FRAME_SECONDS = 2;
/** Bytes of a write. */
const CHUNK_BYTES = 2 * 1024 ** 2;

export interface WriterSettings {
  /** Audio tracks in the order of the source. */
  readonly audio: readonly AudioTrack[];
  /** Survey of the source's video track. */
  readonly survey: Survey;
  readonly keepBitRate: boolean;
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
      config.framerate = 1 / settings.survey.frameSeconds;
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
  const picture = i420OfRaster(frame.raster, coding ?? HDTV, memory);
  const { width, height, data } = picture;
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

/** Writes an MP4 file with its index at the end, so that media are written as they arrive. */
export const createVideoWriter = async (
  target: ByteTarget,
  settings: WriterSettings,
): Promise<VideoWriter> => {
  let index: { readonly moov: Uint8Array; readonly position: number } | undefined;
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
  let memory: Uint8Array<ArrayBuffer> | undefined;
  const feedUntil = async (seconds: number): Promise<void> => {
    for (const feed of feeds) await feed.feedUntil(seconds);
  };
  return {
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
      if (index && size && paddingOf(size).some((px) => px > 0)) {
        await target.write(index.position, withCleanAperture(index.moov, size));
      }
      settings.onEnd();
    },
    cancel: async () => {
      await output.cancel();
      settings.onEnd();
    },
  };
};
