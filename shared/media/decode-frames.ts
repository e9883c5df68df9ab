import { VideoSampleSink, type InputVideoTrack, type VideoSample } from 'mediabunny';
import { decodeAroundBroken } from './decode-broken-group';
import { asHdrTransfer, type HdrTransfer } from '../domain/hdr';
import type { Area, Raster } from '../domain/raster';
import { changedColours, damagedVideo, UnreadableFile } from '../domain/failure';
import { US_PER_SECOND, type TimeRange } from '../domain/plan';
import { cropInPlace, turnUpright, type Turn } from '../engine/pixels/upright';
import type { VideoFrame } from '../ports/video';
import type { FrameSource } from './parked-frames';
import { convertSample, type FrameMemory } from './sample-raster';
import { HDTV } from './tone-tables';
import { placeFrame, type Span, type Timeline } from './timeline';
import { watchRange } from './watch-range';

/** Facts about a video that are known only while or after it is decoded. */
export interface DecodeState {
  /** Number of frames that could not be decoded; set at the end. */
  lost: number;
  /** Colour space of the frames as they are passed on; undefined before the first one. */
  colorSpace: VideoColorSpaceInit | undefined;
  /** Transfer of the source, if it is in high dynamic range and was mapped to standard range. */
  toneMapped: HdrTransfer | undefined;
}

export interface DecodeOptions {
  readonly turn: Turn;
  /** The part of a coded frame that is shown; undefined: all of it. */
  readonly aperture: Area | undefined;
  /** Size of the frames after they were turned upright. */
  readonly size: { readonly width: number; readonly height: number };
  readonly timeline: Timeline;
  /** Number of frames that the timeline shows. */
  readonly frameCount: number;
  /** Colour space that the container declares. */
  readonly colorSpace: VideoColorSpaceInit;
  /** Memory for the frames. */
  readonly memory: FrameMemory;
  /** Takes what a frame is made from, if it may be made again; undefined: frames stay as they are. */
  readonly keep: ((frame: VideoFrame, source: FrameSource) => void) | undefined;
  /** Only frames that begin in it; undefined: all frames. */
  readonly range: TimeRange | undefined;
}

/** Decoders round timestamps to this step, in seconds. */
const TIMESTAMP_STEP = 1 / US_PER_SECOND;

/** Decoding starts and ends this much outside of a range, in seconds: no frame must be missed by rounding. */
const RANGE_MARGIN = 0.01;

/** Time of the demuxer's clock, in seconds, from which on the frames of a range are shown. */
const startOf = (timeline: Timeline, range: TimeRange | undefined): number => {
  const shownFrom = range ? range.fromUs / US_PER_SECOND - RANGE_MARGIN : -Infinity;
  const part = timeline.find(({ to, shift }) => to + shift > shownFrom);
  return part ? Math.max(part.from, shownFrom - part.shift) : Infinity;
};

/** Time of the same clock after which none of these frames is shown. */
const endOf = (timeline: Timeline, range: TimeRange | undefined): number => {
  const shownUntil = range ? range.untilUs / US_PER_SECOND + RANGE_MARGIN : Infinity;
  const part = timeline.findLast(({ from, shift }) => from + shift < shownUntil);
  return part ? Math.min(part.to, shownUntil - part.shift) : -Infinity;
};

/** When a frame is shown; undefined: it is hidden, or does not begin in the range. */
const placeIn = (timeline: Timeline, frame: Span, range: TimeRange | undefined): Span | undefined => {
  const shown = placeFrame(timeline, frame);
  if (!shown || !range) return shown;
  const timestampUs = shown.timestamp * US_PER_SECOND;
  return timestampUs >= range.fromUs && timestampUs < range.untilUs ? shown : undefined;
};

/** All frames from `start` (seconds) on that can be decoded, in order. */
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

const stated = (tags: VideoColorSpaceInit): VideoColorSpaceInit =>
  Object.fromEntries(Object.entries(tags).filter(([, value]) => value != null));

/**
 * Prefers the colours that the file declares: browsers treat each full-range video as BT.601. Frames complete them only
 * where it declares none in high dynamic range: the library makes browsers repeat what it fills in.
 *
 * @throws UnreadableFile where only one of both is in high dynamic range
 */
const tagsOf = (frame: VideoSample, ofFile: VideoColorSpaceInit): VideoColorSpaceInit => {
  const own = frame.colorSpace.toJSON();
  const isFileHdr = asHdrTransfer(ofFile.transfer) !== undefined;
  const all = isFileHdr ? ofFile : { ...own, ...stated(ofFile) };
  const [ofFrame, ofBoth] = [asHdrTransfer(own.transfer), asHdrTransfer(all.transfer)];
  if (!ofFrame && !ofBoth) return ofFile.matrix == null ? own : ofFile;
  if (own.transfer != null && ofFrame !== ofBoth) throw changedColours();
  return all;
};

/** Notes the colours of the frames, which stay the same. @throws UnreadableFile where their range changes */
const noteColours = (state: DecodeState, tags: VideoColorSpaceInit): void => {
  const toneMapped = asHdrTransfer(tags.transfer);
  if (state.colorSpace && state.toneMapped !== toneMapped) throw changedColours();
  state.toneMapped = toneMapped;
  state.colorSpace ??= toneMapped ? HDTV : tags;
};

const upright = (whole: Raster, { turn, aperture, memory }: DecodeOptions): Raster => {
  const decoded = aperture ? cropInPlace(whole, aperture) : whole;
  const raster = turnUpright(decoded, turn, memory.pixels.take);
  if (raster !== decoded) memory.pixels.give(decoded.data.buffer as ArrayBuffer);
  return raster;
};

/**
 * Decodes the frames of a track that its timeline shows, in order.
 *
 * @throws UnreadableFile where no frame of the whole track can be decoded or the frame size changes
 */
export async function* decodeFrames(
  track: InputVideoTrack,
  options: DecodeOptions,
  state: DecodeState,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  const { size, timeline, frameCount, colorSpace, range } = options;
  let index = 0;
  const end = endOf(timeline, range);
  const start = startOf(timeline, range);
  const coded = await watchRange(track, start);
  for await (const sample of decodeSamples(track, start, signal)) {
    using frame = sample;
    signal.throwIfAborted();
    if (frame.timestamp > end) break;
    const shown = placeIn(timeline, frame, range);
    if (!shown) continue;
    const tags = tagsOf(frame, colorSpace);
    noteColours(state, tags);
    await coded.requireUntil(frame.timestamp, state.toneMapped ?? 'standard');
    const { raster: whole, again, drop } = await convertSample(frame, tags, options.memory);
    const raster = upright(whole, options);
    if (raster.width !== size.width || raster.height !== size.height) {
      throw new UnreadableFile('The video changes the size of its frames, which is not supported.');
    }
    const placed: VideoFrame = {
      index: index++,
      timestampUs: shown.timestamp * US_PER_SECOND,
      durationUs: shown.duration * US_PER_SECOND,
      raster,
    };
    if (again && options.keep) options.keep(placed, { restore: () => upright(again(), options), drop });
    else drop();
    yield placed;
  }
  if (range) return;
  if (index === 0) throw damagedVideo();
  state.lost = Math.max(0, frameCount - index);
}
