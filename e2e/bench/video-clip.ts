/** Clips for the video benchmark: people, and a street if the machine has a clip of one. */
import { readFile } from 'node:fs/promises';
import {
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  BufferSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import sharp from 'sharp';
import { LIMITS } from '#shared/domain/limits';
import { RGBA } from '#shared/domain/raster';
import type { ByteSource } from '#shared/ports/video';
import { videoCodec } from '../../server/adapters/video-backend';
import { dataPath, readSample } from '../support/samples';

export type Size = readonly [width: number, height: number];

/** RGBA bytes of one frame. */
type Pixels = Uint8Array;

export const FRAMES_PER_SECOND = 25;
const KEY_FRAME_SECONDS = 2;
/** Usual for web videos. */
const BITS_PER_PIXEL = 0.1;
/** Size of the photo as a multiple of the window that moves over it. */
const PAN = 1.5;
/** Number of frames before the next photo. */
const FRAMES_PER_PHOTO = 12;
const BT_709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;
const NEVER = new AbortController().signal;

const sourceOf = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.byteLength,
  read: async (start, end) => bytes.slice(start, end),
});

/** A window that moves over photos with people. */
async function* people(count: number, [width, height]: Size): AsyncGenerator<Pixels> {
  const [wide, high] = [Math.round(width * PAN), Math.round(height * PAN)];
  for (let index = 0; index < count; index++) {
    const photo = readSample(1 + (Math.floor(index / FRAMES_PER_PHOTO) % 6));
    const along = (index % FRAMES_PER_PHOTO) / FRAMES_PER_PHOTO;
    yield await sharp(await sharp(photo).resize(wide, high, { fit: 'cover' }).toBuffer())
      .extract({
        left: Math.round(along * (wide - width)),
        top: Math.round(((1 + along) / 4) * (high - height)),
        width,
        height,
      })
      .ensureAlpha()
      .raw()
      .toBuffer();
  }
}

/** A drive behind and next to cars. */
async function* street(file: string, count: number, [width, height]: Size): AsyncGenerator<Pixels> {
  const reader = await videoCodec.open(sourceOf(await readFile(file)), LIMITS);
  try {
    for await (const { index, raster } of reader.frames(NEVER)) {
      if (index >= count) return;
      yield await sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: RGBA } })
        .resize(width, height, { fit: 'cover' })
        .raw()
        .toBuffer();
    }
  } finally {
    reader.close();
  }
}

async function* scenes(count: number, size: Size): AsyncGenerator<Pixels> {
  const drive = dataPath('videos', 'udacity-vehicles-test_video.mp4');
  let made = 0;
  if (drive) {
    for await (const frame of street(drive, Math.floor(count / 2), size)) {
      made++;
      yield frame;
    }
  }
  yield* people(count - made, size);
}

/** @returns an MP4 file: half street, half people; only people if the machine has no clip of a street */
export const makeClip = async (count: number, size: Size): Promise<Uint8Array> => {
  // Defines WebCodecs on `globalThis`; opening this source fails.
  await videoCodec.open(sourceOf(new Uint8Array(1)), LIMITS).catch(() => undefined);
  const [codedWidth, codedHeight] = size;
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const video = new VideoSampleSource({
    codec: 'avc',
    keyFrameInterval: KEY_FRAME_SECONDS,
    quality: new Quality({ bitrate: codedWidth * codedHeight * FRAMES_PER_SECOND * BITS_PER_PIXEL }),
  });
  output.addVideoTrack(video);
  await output.start();
  let index = 0;
  for await (const pixels of scenes(count, size)) {
    using sample = new VideoSample(Uint8Array.from(pixels), {
      format: 'RGBA',
      codedWidth,
      codedHeight,
      timestamp: index / FRAMES_PER_SECOND,
      duration: 1 / FRAMES_PER_SECOND,
      colorSpace: BT_709,
    });
    await video.add(sample);
    index++;
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
};

/**
 * Repeats a clip without encoding it again.
 *
 * @param frames minimum number of frames of the result
 * @param pace frames per second of the result: a low value makes hours of video from few frames
 */
export const repeatClip = async (
  clip: Uint8Array,
  frames: number,
  pace: number,
  path: string,
): Promise<void> => {
  const input = new Input({ formats: [MP4], source: new BufferSource(clip) });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !decoderConfig) throw new Error('the clip has no video');
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(path),
  });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video);
  await output.start();
  const length = await track.computeDuration();
  const slower = FRAMES_PER_SECOND / pace;
  const sink = new EncodedPacketSink(track);
  for (let made = 0, turn = 0; made < frames; turn++) {
    for await (const packet of sink.packets()) {
      const timestamp = slower * (packet.timestamp + turn * length);
      await video.add(packet.clone({ timestamp, duration: slower * packet.duration }), { decoderConfig });
      made++;
    }
  }
  await output.finalize();
  input.dispose();
};
