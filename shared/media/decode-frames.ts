import { VideoSampleSink, type InputVideoTrack, type VideoSample } from 'mediabunny';
import { decodeAroundBroken } from './decode-broken-group';
import { requireStandardRange } from './dynamic-range';
import type { Raster } from '../domain/raster';
import { damagedVideo, UnreadableFile } from '../domain/unreadable-file';
import { US_PER_SECOND } from '../domain/time-units';
import { turnUpright, type Turn } from '../engine/pixels/upright';
import type { VideoFrame } from '../ports/video';
import { rasterOfSample, type PictureMemory } from './sample-raster';
import { placeFrame, type Timeline } from './timeline';

/** What is learned of a video while it is decoded. */
export interface DecodeState {
  lost: number;
  /** Of the first picture. */
  colorSpace: VideoColorSpaceInit | undefined;
}

export interface DecodeOptions {
  readonly turn: Turn;
  /** Of the upright frames. */
  readonly size: { readonly width: number; readonly height: number };
  readonly timeline: Timeline;
  /** Of those that are shown. */
  readonly frameCount: number;
  /** As the file says. */
  readonly colorSpace: VideoColorSpaceInit;
  /** Of the frames. */
  readonly memory: PictureMemory;
}

/** Timestamps of decoded pictures are rounded to it. */
const TIMESTAMP_STEP = 1 / US_PER_SECOND;

/** All pictures from a time on that can be decoded, in order. */
async function* decodeSamples(
  track: InputVideoTrack,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<VideoSample> {
  const sink = new VideoSampleSink(track);
  let last = -Infinity;
  async function* newOnes(samples: AsyncIterable<VideoSample>): AsyncGenerator<VideoSample> {
    for await (const sample of samples) {
      if (sample.timestamp <= last + TIMESTAMP_STEP) {
        sample.close();
        continue;
      }
      last = sample.timestamp;
      yield sample;
    }
  }
  for (let from: number | undefined = start; from !== undefined;) {
    try {
      return yield* newOnes(sink.samples(from));
    } catch {
      signal.throwIfAborted();
      const around = decodeAroundBroken(track, Math.max(from, last), signal);
      yield* newOnes(around.samples());
      const next = around.resumesAt();
      from = next !== undefined && next > from ? next : undefined;
    }
  }
}

/** Browsers take every video of full range for one of BT.601, whatever it says. */
const tagsOf = (frame: VideoSample, ofFile: VideoColorSpaceInit): VideoColorSpaceInit =>
  ofFile.matrix == null ? frame.colorSpace.toJSON() : ofFile;

const uprightRaster = async (
  frame: VideoSample,
  tags: VideoColorSpaceInit,
  turn: Turn,
  memory: PictureMemory,
): Promise<Raster> => {
  const decoded = await rasterOfSample(frame, tags, memory);
  const raster = turnUpright(decoded, turn, memory.pixels.take);
  if (raster !== decoded) memory.pixels.give(decoded.data.buffer as ArrayBuffer);
  return raster;
};

/**
 * Decodes a track.
 *
 * @throws UnreadableFile where no picture can be decoded or their size changes
 */
export async function* decodeFrames(
  track: InputVideoTrack,
  { turn, size, timeline, frameCount, colorSpace, memory }: DecodeOptions,
  state: DecodeState,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  let index = 0;
  const end = timeline.at(-1)?.to ?? -Infinity;
  for await (const sample of decodeSamples(track, timeline[0]?.from ?? Infinity, signal)) {
    using frame = sample;
    signal.throwIfAborted();
    if (frame.timestamp > end) break;
    const shown = placeFrame(timeline, frame);
    if (!shown) continue;
    requireStandardRange(frame.colorSpace);
    const tags = tagsOf(frame, colorSpace);
    state.colorSpace ??= tags;
    const raster = await uprightRaster(frame, tags, turn, memory);
    if (raster.width !== size.width || raster.height !== size.height) {
      throw new UnreadableFile('The video changes the size of its pictures, which is not supported.');
    }
    yield {
      index: index++,
      timestampUs: shown.timestamp * US_PER_SECOND,
      durationUs: shown.duration * US_PER_SECOND,
      raster,
    };
  }
  if (index === 0) throw damagedVideo();
  state.lost = Math.max(0, frameCount - index);
}
