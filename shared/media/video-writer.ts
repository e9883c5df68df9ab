import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Mp4OutputFormat,
  Output,
  Quality,
  StreamTarget,
  VideoSample,
  VideoSampleSource,
  type EncodedPacket,
  type InputAudioTrack,
  type StreamTargetChunk,
} from 'mediabunny';
import { RGBA, type Raster } from '../pipeline/raster';
import type { ByteTarget, VideoFrame, VideoWriter } from '../ports/video';
import { createRateControl } from './rate-control';
import { encodeAtRate } from './rated-encoder';
import type { Survey } from './survey-frames';
import { placeAudio, type Timeline } from './timeline';

const MICROSECONDS = 1e6;
/** Of H.264, 0 (lossless) to 51: pictures that look as before. */
const QUANTIZER = 22;
/** Where an encoder knows no quantizer: of the source's bit rate. */
const FALLBACK_BIT_RATE = 1.5;
const KEY_FRAME_SECONDS = 2;
/** Written at once. */
const CHUNK_BYTES = 2 * 1024 ** 2;

export interface AudioTrack {
  readonly track: InputAudioTrack;
  readonly timeline: Timeline;
}

export interface WriterSettings {
  /** Tracks that are copied. */
  readonly audio: readonly AudioTrack[];
  /** Of the source's video. */
  readonly survey: Survey;
  readonly keepBitRate: boolean;
  /** Of the source's pictures; known once the first of them is decoded. */
  readonly colorSpace: () => VideoColorSpaceInit | undefined;
  /** Width of a pixel over its height. */
  readonly pixelAspect: number;
}

const MP4_AUDIO = new Mp4OutputFormat().getSupportedAudioCodecs();

export const fitsInMp4 = async (track: InputAudioTrack): Promise<boolean> => {
  const codec = await track.getCodec();
  return codec !== null && MP4_AUDIO.includes(codec) && (await track.getDecoderConfig()) !== null;
};

/** A track's packets, handed on as they are, up to a time. */
interface AudioCopy {
  copyUntil(seconds: number): Promise<void>;
}

/** A track's packets but for those that are never heard, as they are. */
async function* heardPackets(
  track: InputAudioTrack,
  timeline: Timeline,
): AsyncGenerator<EncodedPacket, undefined> {
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const timestamp = placeAudio(timeline, packet);
    if (timestamp !== undefined) yield packet.clone({ timestamp });
  }
  return undefined;
}

const copyAudio = async ({ track, timeline }: AudioTrack, output: Output): Promise<AudioCopy> => {
  const codec = await track.getCodec();
  const decoderConfig = await track.getDecoderConfig();
  if (!codec || !decoderConfig) throw new Error('an audio track without a known coding was to be copied');
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, { languageCode: await track.getLanguageCode() });
  const packets = heardPackets(track, timeline);
  let waiting: EncodedPacket | undefined;
  let hasEnded = false;
  const next = async (): Promise<EncodedPacket | undefined> => {
    if (waiting || hasEnded) return waiting;
    const { value, done } = await packets.next();
    hasEnded = done === true;
    waiting = value ?? undefined;
    if (hasEnded) source.close();
    return waiting;
  };
  return {
    copyUntil: async (seconds) => {
      for (let packet = await next(); packet && packet.timestamp <= seconds; packet = await next()) {
        waiting = undefined;
        await source.add(packet, { decoderConfig });
      }
    },
  };
};

const even = (length: number): number => length + (length % 2);

/** H.264 halves its colours' sides: an odd side gets one more pixel, the same as the last. */
const padToEven = (raster: Raster): Raster => {
  const [width, height] = [even(raster.width), even(raster.height)];
  if (width === raster.width && height === raster.height) return raster;
  const data = new Uint8Array(width * height * RGBA);
  for (let y = 0; y < height; y++) {
    const from = Math.min(y, raster.height - 1) * raster.width * RGBA;
    const row = raster.data.subarray(from, from + raster.width * RGBA);
    data.set(row, y * width * RGBA);
    if (width > raster.width) data.set(row.subarray(-RGBA), (y * width + raster.width) * RGBA);
  }
  return { width, height, data };
};

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
      // Bits are shared out to frames by it; without, 30 a second are taken for granted.
      config.framerate = 1 / settings.survey.frameSeconds;
      if (control) encodeAtRate(config, control);
    },
  });
};

const sampleOf = (frame: VideoFrame, { colorSpace, pixelAspect }: WriterSettings): VideoSample => {
  const { width, height, data } = padToEven(frame.raster);
  const tags = colorSpace();
  return new VideoSample(data as Uint8Array<ArrayBuffer>, {
    format: 'RGBA',
    codedWidth: width,
    codedHeight: height,
    timestamp: frame.timestampUs / MICROSECONDS,
    duration: frame.durationUs / MICROSECONDS,
    ...(tags ? { colorSpace: tags } : {}),
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

/** Writes an MP4 file with its index at the end: media go out as they come. */
export const createVideoWriter = async (
  target: ByteTarget,
  settings: WriterSettings,
): Promise<VideoWriter> => {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: streamTo(target) });
  const video = createVideoSource(settings);
  output.addVideoTrack(video);
  const copies: AudioCopy[] = [];
  for (const track of settings.audio) copies.push(await copyAudio(track, output));
  await output.start();
  const copyUntil = async (seconds: number): Promise<void> => {
    for (const copy of copies) await copy.copyUntil(seconds);
  };
  return {
    add: async (frame) => {
      await copyUntil(frame.timestampUs / MICROSECONDS);
      using sample = sampleOf(frame, settings);
      await video.add(sample);
    },
    finish: async () => {
      await copyUntil(Infinity);
      await output.finalize();
    },
    cancel: () => output.cancel(),
  };
};
