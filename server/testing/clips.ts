import { videoCodec } from '../adapters/video-backend';
import {
  type OutputFormat,
  type VideoTrackMetadata,
  ALL_FORMATS,
  AudioSample,
  AudioSampleSource,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  Input,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import { LIMITS } from '#shared/domain/limits';
import type { Raster } from '#shared/domain/raster';
import type {
  ByteSource,
  ByteTarget,
  VideoCodec,
  VideoFrame,
  VideoReader,
  VideoWriterOptions,
} from '#shared/ports/video';

export interface Clip {
  /** Time and pixels of each frame. */
  readonly frames: readonly (readonly [seconds: number, raster: Raster])[];
  /** Packets of each audio track, 20 ms each. Their content is arbitrary and is never decoded. */
  readonly audio?: readonly (readonly Uint8Array[])[];
  /** Audio tracks that are encoded, after those of `audio`. */
  readonly sounds?: readonly Sound[];
  readonly container?: keyof typeof FORMATS;
  readonly codec?: 'avc' | 'vp9';
  readonly metadata?: VideoTrackMetadata;
  readonly colorSpace?: VideoColorSpaceInit;
}

export interface Sound {
  readonly codec:
    | 'ulaw'
    | 'alaw'
    | 'pcm-u8'
    | 'pcm-s8'
    | 'pcm-s16'
    | 'pcm-s24'
    | 'flac'
    | 'vorbis'
    | 'aac'
    | 'opus'
    | 'mp3';
  readonly sampleRate: number;
  readonly numberOfChannels: number;
  readonly seconds: number;
  /** The level at a time, -1..1. */
  readonly levelAt: (seconds: number) => number;
}

const FORMATS = {
  mp4: () => new Mp4OutputFormat(),
  mov: () => new MovOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  /** Like recordings of browsers: neither the file nor its clusters have a size. */
  live: () => new MkvOutputFormat({ appendOnly: true }),
  fragmented: () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
} as const satisfies Record<string, () => OutputFormat>;
const PACKET_SECONDS = 0.02;
/** Colour space of test clips, because the usual profile of VP9 does not support RGB. */
const BT_709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;
const OPUS = { codec: 'opus', numberOfChannels: 2, sampleRate: 48_000 } as const;

const addAudio = async (
  track: EncodedAudioPacketSource,
  packets: readonly Uint8Array[] = [],
): Promise<void> => {
  for (const [index, bytes] of packets.entries()) {
    await track.add(new EncodedPacket(bytes, 'key', index * PACKET_SECONDS, PACKET_SECONDS), {
      decoderConfig: OPUS,
    });
  }
};

const SOUND_PARTS_PER_SECOND = 10;

const addSound = async (
  track: AudioSampleSource,
  { sampleRate, numberOfChannels, seconds, levelAt }: Sound,
): Promise<void> => {
  const length = sampleRate / SOUND_PARTS_PER_SECOND;
  for (let first = 0; first < seconds * sampleRate; first += length) {
    const data = Float32Array.from({ length: length * numberOfChannels }, (_, i) =>
      levelAt((first + Math.floor(i / numberOfChannels)) / sampleRate),
    );
    const timestamp = first / sampleRate;
    using part = new AudioSample({ data, format: 'f32', numberOfChannels, sampleRate, timestamp });
    await track.add(part);
  }
};

const frameEnd = (frames: Clip['frames'], index: number, seconds: number): number =>
  frames[index + 1]?.[0] ?? seconds + 0.04;

/** Encodes a clip with the same libraries that the product uses for reading. */
export const encodeClip = async ({
  frames,
  audio = [],
  sounds = [],
  container = 'mp4',
  codec = 'avc',
  metadata = {},
  colorSpace = BT_709,
}: Clip): Promise<Uint8Array> => {
  // Installs WebCodecs on `globalThis`; the file itself cannot be opened.
  await videoCodec.open(sourceOf(new Uint8Array(1)), LIMITS).catch(() => undefined);
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[container](), target });
  const video = new VideoSampleSource({ codec, quality: new Quality({ bitrate: 4_000_000 }) });
  output.addVideoTrack(video, metadata);
  const tracks = audio.map(() => new EncodedAudioPacketSource('opus'));
  const encoded = sounds.map(
    ({ codec }) => new AudioSampleSource({ codec, quality: new Quality({ bitrate: 96_000 }) }),
  );
  for (const track of [...tracks, ...encoded]) output.addAudioTrack(track);
  await output.start();
  for (const [index, [seconds, raster]] of frames.entries()) {
    const sample = new VideoSample(Uint8Array.from(raster.data), {
      format: 'RGBA',
      codedWidth: raster.width,
      codedHeight: raster.height,
      timestamp: seconds,
      duration: frameEnd(frames, index, seconds) - seconds,
      colorSpace,
    });
    await video.add(sample);
    sample.close();
  }
  for (const [at, track] of tracks.entries()) await addAudio(track, audio[at]);
  for (const [at, track] of encoded.entries()) await addSound(track, sounds[at] as Sound);
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
};

/** A clip with changed bytes in some video packets, which are numbered in decoding order. */
export const breakPackets = async (
  clip: Uint8Array,
  positions: readonly number[],
  change: (packet: Uint8Array) => void,
): Promise<Uint8Array> => {
  const broken = clip.slice();
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error('the clip has no video track');
  let position = 0;
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    if (!positions.includes(position++)) continue;
    const at = Buffer.from(clip.buffer).indexOf(data);
    change(broken.subarray(at, at + data.byteLength));
  }
  input.dispose();
  return broken;
};

export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.byteLength,
  read: async (start, end) => bytes.slice(start, end),
});

export interface MemoryTarget extends ByteTarget {
  readonly bytes: () => Uint8Array;
}

export const memoryTarget = (): MemoryTarget => {
  let bytes = new Uint8Array(0);
  return {
    bytes: () => bytes,
    write: async (position, piece) => {
      const grown = new Uint8Array(Math.max(bytes.byteLength, position + piece.byteLength));
      grown.set(bytes);
      grown.set(piece, position);
      bytes = grown;
    },
  };
};

let tested = videoCodec;

/** Makes the tests of a file use another codec than the package's. */
export const readWith = (codec: VideoCodec): void => void (tested = codec);

/** The codec that the tests of videos use. */
export const testedCodec: VideoCodec = { open: (...args) => tested.open(...args) };

export const openClip = (bytes: Uint8Array): Promise<VideoReader> =>
  testedCodec.open(sourceOf(bytes), LIMITS);

export const framesOf = async (bytes: Uint8Array): Promise<VideoFrame[]> => {
  const reader = await openClip(bytes);
  try {
    const frames: VideoFrame[] = [];
    for await (const frame of reader.frames(new AbortController().signal)) frames.push(frame);
    return frames;
  } finally {
    reader.close();
  }
};

/** Decodes a clip and encodes it again, as the engine does. */
export const copyClip = async (
  bytes: Uint8Array,
  options: VideoWriterOptions = { keepBitRate: false },
): Promise<Uint8Array> => {
  const reader = await openClip(bytes);
  const target = memoryTarget();
  try {
    const writer = await reader.createWriter(target, options);
    for await (const frame of reader.frames(new AbortController().signal)) await writer.add(frame);
    await writer.finish();
    return target.bytes();
  } finally {
    reader.close();
  }
};
