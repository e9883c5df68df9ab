import { expect, it } from 'vitest';
import { LIMITS } from '../../domain/limits';
import type {
  AudioRequest,
  ConvertedVideo,
  VideoFrame,
  VideoReader,
  VideoWriterOptions,
} from '../../ports/video';
import { withConversion } from './convert-video';
import { surveyVideo } from '../engine';

const AVI = new TextEncoder().encode('RIFF....AVI LIST and the rest'.padEnd(1000, '.'));
const source = {
  sizeBytes: AVI.byteLength,
  read: async (start: number, end: number) => AVI.slice(start, end),
};
const audio = { sizeBytes: 1, read: source.read };
/** Number of an audio track that nothing can read. */
const UNKNOWN = 9;
const SECONDS = 2;
const never = new AbortController().signal;

/** A video that was converted: 50 frames but for those left out. */
const opened = async (
  converted: Partial<ConvertedVideo>,
  leftOut: readonly number[] = [],
  droppedAudioTracks: readonly number[] = [],
) => {
  const audioRequests: AudioRequest[] = [];
  const writers: VideoWriterOptions[] = [];
  const reader: VideoReader = {
    width: 2,
    height: 2,
    frameCount: 50,
    frameDurationUs: (SECONDS / 50) * 1e6,
    endUs: 480_000,
    bitRate: 1,
    copiedAudioTracks: 2,
    reencodedAudioTracks: 0,
    droppedAudioTracks,
    ...(droppedAudioTracks.length > 0 && { droppedAudioCodecs: droppedAudioTracks.map(String) }),
    async *frames() {
      for (let index = 0; index < 50; index++) {
        const raster = { width: 2, height: 2, data: new Uint8Array(16) };
        const frame: VideoFrame = { index, timestampUs: index * 40_000, durationUs: 40_000, raster };
        if (!leftOut.includes(index)) yield frame;
      }
    },
    lostFrames: () => 0,
    createWriter: async (_target, options) => {
      writers.push(options);
      return { add: async () => undefined, finish: async () => undefined, cancel: async () => undefined };
    },
    close: () => undefined,
  };
  const codec = withConversion(
    { open: async () => reader },
    {
      convert: async () => ({
        source,
        isAudioReencoded: false,
        videoBytes: undefined,
        isDamaged: false,
        undecodedFrames: 0,
        durationS: undefined,
        endS: 0,
        size: undefined,
        unreadableAudio: [],
        discard: async () => undefined,
        ...converted,
      }),
      convertAudio: async (_source, request) => {
        audioRequests.push(request);
        return request.tracks.includes(UNKNOWN)
          ? undefined
          : { source: audio, discard: async () => undefined };
      },
    },
  );
  return { codec, reader: await codec.open(source, LIMITS, never), writers, audioRequests };
};

const lostIn = async (...args: Parameters<typeof opened>): Promise<number> => {
  const { reader } = await opened(...args);
  for await (const _frame of reader.frames(never));
  return reader.lostFrames();
};

it('a kept bit rate is that of the video track, without audio', async () => {
  const { reader, writers } = await opened({ videoBytes: 600 });
  await reader.createWriter({ write: async () => undefined }, { keepBitRate: true });
  expect(writers).toEqual([{ keepBitRate: true, sourceBitRate: (600 * 8) / SECONDS }]);
});

it('frames count as lost if a damaged file has a gap, or they could not be decoded', async () => {
  expect(await lostIn({ isDamaged: true }, [7, 20, 21])).toBe(3);
  expect(await lostIn({ isDamaged: true, undecodedFrames: 1 }, [49])).toBe(1);
  expect(await lostIn({ isDamaged: true })).toBe(0);
});

it('a gap in an undamaged file counts no lost frames', async () => {
  expect(await lostIn({}, [7, 20, 21])).toBe(0);
});

it('audio that the conversion encoded again is reported', async () => {
  const { reader } = await opened({ isAudioReencoded: true });
  expect([reader.copiedAudioTracks, reader.reencodedAudioTracks]).toEqual([0, 2]);
});

it('unreadable audio is converted by ffmpeg', async () => {
  const { reader, writers, audioRequests } = await opened({}, [], [0, 3]);
  expect(audioRequests).toEqual([{ format: 'avi', limits: LIMITS, tracks: [0, 3], keepsTimes: false }]);
  expect([reader.copiedAudioTracks, reader.reencodedAudioTracks]).toEqual([2, 2]);
  expect(reader.droppedAudioTracks).toEqual([]);
  expect(reader).not.toHaveProperty('droppedAudioCodecs');
  await reader.createWriter({ write: async () => undefined }, { keepBitRate: false });
  expect(writers[0]?.audioInstead).toBe(audio);
});

it('audio that ffmpeg cannot read either is dropped, counted and named', async () => {
  const { reader, writers } = await opened({}, [], [UNKNOWN]);
  expect([reader.reencodedAudioTracks, reader.droppedAudioTracks]).toEqual([0, [UNKNOWN]]);
  expect(reader.droppedAudioCodecs).toEqual([String(UNKNOWN)]);
  await reader.createWriter({ write: async () => undefined }, { keepBitRate: false });
  expect(writers[0]).not.toHaveProperty('audioInstead');
});

it('audio that is not in the converted copy is counted and named', async () => {
  const { reader, audioRequests } = await opened({ unreadableAudio: ['apac'] });
  expect(reader.droppedAudioTracks).toHaveLength(1);
  expect([reader.copiedAudioTracks, reader.droppedAudioCodecs]).toEqual([2, ['apac']]);
  expect(audioRequests).toEqual([]);
});

it('a video that would have to be converted has no survey', async () => {
  const { codec } = await opened({});
  expect(await surveyVideo(LIMITS, { source }, codec, never)).toBeUndefined();
});
