import {
  type Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  EncodedPacketSink,
  Logging,
  LogLevel,
} from 'mediabunny';
import { checkVideo } from '../engine/formats/video-metadata';
import type { CheckedVideo } from '../engine/formats/check-mp4';
import { apertureIn } from '../engine/formats/mp4-sample-entry';
import { asHdrTransfer } from '../domain/hdr';
import type { Size } from '../domain/raster';
import { notAVideo, recogniseVideo, HEAD_BYTES } from '../engine/formats/recognise';
import { damagedVideo, indexTooLarge, UnreadableFile, UnsupportedCoding } from '../domain/failure';
import { US_PER_SECOND } from '../domain/plan';
import type {
  ByteSource,
  VideoCodec,
  VideoFrame,
  VideoLimits,
  VideoReader,
  VideoWriterOptions,
} from '../ports/video';
import { audioFacts, borrowAudio, type PlannedAudio } from './planned-audio';
import { openInput } from './open-input';
import { muteParts, planAudio, type AudioTrack } from './audio-tracks';
import { decodeFrames, type DecodeState } from './decode-frames';
import { createParkedFrames } from './parked-frames';
import { createFrameMemory } from './sample-raster';
import { scaleSurvey, surveyFrames } from './survey-frames';
import { timelinesOf, type Timeline } from './timeline';
import { createVideoWriter } from './video-writer';
import { requireSameRange } from './watch-range';

// The library would write details of users' files to the console.
Logging.level = LogLevel.Silent;

/** Larger than any frame or table. A file that claims more would fill the memory. */
const MAX_READ_BYTES = 300 * 1024 ** 2;

/** Maximum memory of released frames that is kept for the next frames. */
const MAX_FREE_BYTES = 64 * 1024 ** 2;

/** Size of the frames that can be parked: making their pixels again takes time, which smaller ones are not worth. */
const MIN_PARKED_PX = 2560 * 1440;

/** Remembers why a read failed: the demuxer's own error cannot be told from an error in the file. */
interface GuardedSource extends ByteSource {
  readonly fault: () => unknown;
}

const guard = (source: ByteSource): GuardedSource => {
  let fault: unknown;
  return {
    sizeBytes: source.sizeBytes,
    fault: () => fault,
    read: async (start, end) => {
      if (end - start > MAX_READ_BYTES) throw indexTooLarge();
      try {
        return await source.read(start, end);
      } catch (error) {
        fault ??= error;
        throw error;
      }
    },
  };
};

/** Reads the last packet, which is missing in a truncated file. @throws UnreadableFile */
const requireEnd = async (track: InputTrack): Promise<void> => {
  const sink = new EncodedPacketSink(track);
  const listed = await sink.getPacket(Infinity, { metadataOnly: true });
  const packet = listed && (await sink.getPacket(Infinity).catch(() => null));
  if (listed && packet?.data.byteLength !== listed.byteLength) {
    throw new UnreadableFile('The video is truncated: the file ends before its frames do.');
  }
};

const checkSize = ({ width, height }: Size, { maxVideoPixels }: VideoLimits): void => {
  if (width === 0 || height === 0) throw new UnreadableFile('The video has no frames.');
  if (width * height <= maxVideoPixels) return;
  throw new UnreadableFile(
    `The video claims frames of ${width} × ${height} pixels; the limit is ${maxVideoPixels} in all.`,
  );
};

const tooManyPixels = ({ maxVideoTotalPixels }: VideoLimits): UnreadableFile =>
  new UnreadableFile(
    `The video is too long for its size: the limit is ${maxVideoTotalPixels} pixels in all of its frames together.`,
  );

const checkTotal = (frames: number, { width, height }: Size, limits: VideoLimits): void => {
  if (frames * width * height > limits.maxVideoTotalPixels) throw tooManyPixels(limits);
};

/** The frames up to the limit, because a decoder may find more of them than the container states. */
async function* withinTotal(
  frames: AsyncIterable<VideoFrame>,
  limits: VideoLimits,
): AsyncGenerator<VideoFrame> {
  let pixels = 0;
  for await (const frame of frames) {
    pixels += frame.raster.width * frame.raster.height;
    if (pixels > limits.maxVideoTotalPixels) throw tooManyPixels(limits);
    yield frame;
  }
}

interface Tracks {
  readonly video: InputVideoTrack;
  readonly audio: readonly InputAudioTrack[];
}

const findTracks = async (input: Input, { maxVideoTracks }: VideoLimits): Promise<Tracks> => {
  const all = await input.getTracks();
  if (all.length > maxVideoTracks) {
    throw new UnreadableFile(`The video has ${all.length} tracks; the limit is ${maxVideoTracks}.`);
  }
  const video = await input.getPrimaryVideoTrack();
  if (!video) throw new UnreadableFile('The file has no video track.');
  return { video, audio: await input.getAudioTracks() };
};

/** When a track is first shown or heard, in seconds. */
const startOf = async (track: InputTrack, timeline: Timeline): Promise<number> =>
  Math.max(await track.getFirstTimestamp(), timeline[0]?.from ?? 0);

const requireDecoder = async (
  { video, audio }: Tracks,
  { transfer }: VideoColorSpaceInit,
  timeline: (track: InputTrack) => Timeline,
): Promise<void> => {
  if (await video.canDecode()) return;
  await requireSameRange(video);
  const codec = await video.getCodec();
  const starts = await Promise.all([video, ...audio].map((track) => startOf(track, timeline(track))));
  const startS = Math.min(...starts);
  throw new UnsupportedCoding(codec ?? 'unknown', asHdrTransfer(transfer) !== undefined, startS);
};

/** @param instead tracks that take the places of the dropped ones, in order */
const withAudio = (planned: PlannedAudio, instead: readonly AudioTrack[]): AudioTrack[] => {
  let next = 0;
  return planned.map((track) => track ?? instead[next++]).filter((track) => track !== undefined);
};

/** The audio tracks of a result. @param instead tracks that take the places of the dropped ones */
const writtenAudio = async (
  planned: PlannedAudio,
  instead: readonly AudioTrack[],
  { mutesAudio = false, mutedRanges = [], untilUs = Infinity }: VideoWriterOptions,
): Promise<readonly AudioTrack[]> => {
  const until = untilUs / US_PER_SECOND;
  const tracks = mutesAudio ? [] : withAudio(planned, instead).map((track) => ({ ...track, until }));
  if (mutedRanges.length === 0) return tracks;
  const parts = mutedRanges.map(({ fromUs, untilUs, as }) => ({
    from: fromUs / US_PER_SECOND,
    until: untilUs / US_PER_SECOND,
    ...(as && { as }),
  }));
  return Promise.all(tracks.map((track) => muteParts(track, parts)));
};

/** How frames become upright, and what is seen of them. */
const geometryOf = async (video: InputVideoTrack, coded: Size, tracks: CheckedVideo['tracks']) => {
  const turn = { rotation: await video.getRotation(), flip: await video.getFlip() };
  const isTurned = turn.rotation === 90 || turn.rotation === 270;
  const aperture = apertureIn(coded, tracks.find(({ id }) => id === video.id)?.aperture);
  const { width, height } = aperture ?? coded;
  const { num, den } = await video.getPixelAspectRatio();
  return {
    ...{ turn, aperture },
    size: isTurned ? { width: height, height: width } : { width, height },
    pixelAspect: isTurned ? den / num : num / den,
  };
};

/** @param size of the upright frames, in px */
const memoryFor = ({ width, height }: Size) => {
  const memory = createFrameMemory(MAX_FREE_BYTES);
  const parked = createParkedFrames(memory.pixels);
  return { memory, parked, keep: width * height >= MIN_PARKED_PX ? parked.keep : undefined };
};

const openReader = async (
  input: Input,
  { tracks }: CheckedVideo,
  limits: VideoLimits,
): Promise<VideoReader> => {
  const found = await findTracks(input, limits);
  const { video, audio } = found;
  const colorSpace = await video.getColorSpace();
  const timeline = timelinesOf(tracks);
  await requireDecoder(found, colorSpace, timeline);
  const coded = { width: await video.getCodedWidth(), height: await video.getCodedHeight() };
  checkSize(coded, limits);
  const shown = timeline(video);
  const survey = await surveyFrames(video, shown, limits.maxVideoFrames);
  checkTotal(survey.frameCount, coded, limits);
  for (const track of [video, ...audio]) await requireEnd(track);

  const { turn, aperture, size, pixelAspect } = await geometryOf(video, coded, tracks);
  const state: DecodeState = { lost: 0, colorSpace: undefined, toneMapped: undefined };
  const { memory, parked, keep } = memoryFor(size);
  const planned: PlannedAudio = await Promise.all(audio.map((track) => planAudio(track, timeline(track))));
  const kept = withAudio(planned, []);
  const { frameCount, frameSeconds, bitRate } = survey;
  return {
    ...size,
    frameCount,
    frameDurationUs: frameSeconds * US_PER_SECOND,
    bitRate,
    ...(await audioFacts(planned, audio)),
    endUs: survey.shownUntil * US_PER_SECOND,
    frames: (signal, range) =>
      withinTotal(
        decodeFrames(
          video,
          { turn, aperture, size, timeline: shown, frameCount, colorSpace, memory, keep, range },
          state,
          signal,
        ),
        limits,
      ),
    release: parked.release,
    parking: parked,
    lostFrames: () => state.lost,
    toneMapped: () => state.toneMapped,
    createWriter: async (target, options) => {
      const { keepBitRate, sourceBitRate, audioInstead } = options;
      const borrowed =
        audioInstead && (await borrowAudio(audioInstead, planned.length - kept.length, limits));
      return createVideoWriter(target, {
        audio: await writtenAudio(planned, borrowed?.tracks ?? [], options),
        survey: sourceBitRate === undefined ? survey : scaleSurvey(survey, sourceBitRate),
        ...{ keepBitRate, isSphere: options.isSphere ?? false, kept: options.kept },
        colorSpace: () => state.colorSpace,
        pixelAspect,
        onEnd: () => borrowed?.close(),
      });
    },
    close: () => input.dispose(),
  };
};

const openVideo = async (source: GuardedSource, limits: VideoLimits): Promise<VideoReader> => {
  const format = recogniseVideo(await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes)));
  if (!format) throw notAVideo();
  const checked = await checkVideo(source, format, limits.maxVideoFrames);
  const input = openInput(checked.source);
  try {
    return { ...(await openReader(input, checked, limits)), found: checked.found };
  } catch (error) {
    input.dispose();
    throw error;
  }
};

/** The error to report: the fault of a read if there was one, because all other errors are caused by the file. */
const errorOf = (error: unknown, source: GuardedSource): unknown => {
  const fault = source.fault();
  if (fault !== undefined) return fault;
  return error instanceof UnreadableFile ? error : damagedVideo();
};

async function* withErrors<T>(
  items: AsyncIterable<T>,
  source: GuardedSource,
  signal: AbortSignal,
): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    signal.throwIfAborted();
    throw errorOf(error, source);
  }
  // After a failed read, a demuxer ends as if the file ended there.
  if (source.fault() !== undefined) throw source.fault();
}

/** The video codec on mediabunny, which uses the WebCodecs classes that the host has put on `globalThis`. */
export const videoCodec: VideoCodec = {
  open: async (bytes, limits) => {
    const source = guard(bytes);
    try {
      const reader = await openVideo(source, limits);
      return {
        ...reader,
        frames: (signal, range) => withErrors(reader.frames(signal, range), source, signal),
      };
    } catch (error) {
      throw errorOf(error, source);
    }
  },
};
