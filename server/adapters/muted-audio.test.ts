import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EncodedPacketSink } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { US_PER_SECOND } from '#shared/domain/plan';
import { createRaster } from '#shared/testing/rasters';
import { findFfmpeg } from './find-ffmpeg';
import { videoCodec } from './video-backend';
import { openAudio } from '../testing/bursts';
import { encodeClip, memoryTarget, sourceOf, type Clip } from '../testing/clips';
import { temporaryFolder } from '../testing/temporary-folder';

const ffmpeg = await findFfmpeg(undefined, process.env);
if (!ffmpeg) console.warn('Skipped: muted parts of audio, because no ffmpeg is installed.');
const never = new AbortController().signal;

const SECONDS = 2;
/** Sound behind the last frame. */
const TAIL_SECONDS = 0.5;
const RATE = 48_000;
const MUTED = [
  [0.5, 0.7],
  [1.2, 1.25],
] as const;
const VIDEO: Clip['frames'] = Array.from({ length: 25 * SECONDS }, (_, index) => [
  index * 0.04,
  createRaster(64, 48, () => [90, 90, 90]),
]);
const SILENT_CLIP = encodeClip({ frames: VIDEO });
/** Rows of a table whose rule the other rows test in the short run. */
const RARE = { tags: ['slow'] };
const run = (...args: string[]): Buffer =>
  execFileSync(ffmpeg!.path, ['-v', 'error', ...args], { maxBuffer: 2 ** 30 });

interface SoundOfClip {
  readonly level: string;
  readonly channels: number;
  /** Options of ffmpeg before the sound. */
  readonly before?: readonly string[];
  readonly coding: readonly string[];
}

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime'];

/** A clip with a sound, made by ffmpeg. */
const clipWith = async (
  name: string,
  { level, channels, before = [], coding }: SoundOfClip,
): Promise<Uint8Array> => {
  const folder = temporaryFolder();
  const [clip, path] = [join(folder, 'clip.mp4'), join(folder, name)];
  writeFileSync(clip, await SILENT_CLIP);
  const sound = `aevalsrc='${Array.from({ length: channels }, () => level).join('|')}':d=${SECONDS + TAIL_SECONDS}:s=${RATE}`;
  const video = name.endsWith('.webm') ? VP8 : ['-c:v', 'copy'];
  run(
    ...['-i', clip, ...before, '-f', 'lavfi', '-i', sound, '-map', '0:v', '-map', '1:a'],
    ...[...video, ...coding, path],
  );
  return readFileSync(path);
};

const LOUD = '0.4*sin(2*PI*440*t)+0.2*sin(2*PI*3100*t)+0.1*(random(0)-0.5)';

/** A clip with a loud sound that never pauses. */
const loudClip = (name: string, channels: number, ...coding: string[]): Promise<Uint8Array> =>
  clipWith(name, { level: LOUD, channels, coding });

/** The clip as the product writes it. */
const written = async (bytes: Uint8Array, ranges: readonly (readonly [number, number])[]) => {
  const reader = await videoCodec.open(sourceOf(bytes), LIMITS);
  const target = memoryTarget();
  const mutedRanges = ranges.map(([from, until]) => ({
    fromUs: from * US_PER_SECOND,
    untilUs: until * US_PER_SECOND,
  }));
  const writer = await reader.createWriter(target, { keepBitRate: false, mutedRanges });
  for await (const frame of reader.frames(never)) await writer.add(frame);
  await writer.finish();
  reader.close();
  return target.bytes();
};

interface Packet {
  readonly timestamp: number;
  readonly duration: number;
  readonly content: string;
}

const packetsOf = async (bytes: Uint8Array): Promise<Packet[]> => {
  const { input, tracks } = await openAudio(bytes);
  using _open = input;
  const packets: Packet[] = [];
  for await (const { data, timestamp, duration } of new EncodedPacketSink(tracks[0]!).packets()) {
    packets.push({ timestamp, duration, content: Buffer.from(data).toString('base64') });
  }
  return packets;
};

/** The sum of all channels, from time 0 on. */
const heard = (bytes: Uint8Array): Float32Array => {
  const path = join(temporaryFolder(), 'a.mp4');
  writeFileSync(path, bytes);
  const filters = `aresample=${RATE}:async=1:first_pts=0,aformat=channel_layouts=mono`;
  const pcm = run(
    '-xerror',
    '-err_detect',
    'explode+crccheck',
    '-i',
    path,
    '-map',
    '0:a:0',
    '-af',
    filters,
    '-f',
    'f32le',
    '-',
  );
  return new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength));
};

const loudness = (levels: Float32Array, from: number, until: number): number => {
  const part = levels.subarray(Math.floor(from * RATE), Math.ceil(until * RATE));
  return Math.sqrt(part.reduce((sum, level) => sum + level * level, 0) / part.length);
};

const isMuted = ({ timestamp, duration }: Packet, margin: number): boolean =>
  MUTED.some(([from, until]) => timestamp < until + margin && timestamp + duration > from - margin);

/** Largest difference between two sounds, at least `margin` seconds away from the muted parts. */
const differenceOutside = (one: Float32Array, other: Float32Array, margin: number): number => {
  let largest = 0;
  one.forEach((level, index) => {
    const time = index / RATE;
    if (MUTED.some(([from, until]) => time > from - margin && time < until + margin)) return;
    largest = Math.max(largest, Math.abs(level - other[index]!));
  });
  return largest;
};

/** Loudness from which a sound is not silent: a thirtieth of a step of 16 bits. */
const SILENT = 1e-6;

describe.skipIf(!ffmpeg)('muted parts of a video', () => {
  const copiesTheRest = async (
    name: string,
    channels: number,
    coding: readonly string[],
    [margin, tolerance]: readonly [number, number],
  ) => {
    const source = await loudClip(name, channels, ...coding);
    const [whole, muted] = [await written(source, []), await written(source, MUTED)];
    const [before, after] = [await packetsOf(whole), await packetsOf(muted)];
    expect(after.map(({ timestamp }) => timestamp)).toEqual(before.map(({ timestamp }) => timestamp));
    const changed = after.filter(({ content }, index) => content !== before[index]!.content);
    expect(changed.every((packet) => isMuted(packet, 0.14))).toBe(true);
    expect(after.filter((packet) => isMuted(packet, 0)).every((packet) => changed.includes(packet))).toBe(
      true,
    );
    const [original, silenced] = [heard(whole), heard(muted)];
    expect(silenced.length).toBe(original.length);
    for (const [from, until] of MUTED) {
      expect(loudness(original, from, until)).toBeGreaterThan(0.1);
      expect(loudness(silenced, from, until)).toBeLessThan(SILENT);
    }
    expect(differenceOutside(original, silenced, margin)).toBeLessThanOrEqual(tolerance);
  };
  const copied = 'are silent, and all other packets are copied bit for bit: %s, %i channels';
  it.each([
    ['aac.mp4', 2, ['-c:a', 'aac', '-b:a', '256k', '-aac_pns', '0'], [0.05, 0]],
    ['opus.mkv', 2, ['-c:a', 'libopus', '-b:a', '160k'], [0.3, 0.02]],
  ] as const)(copied, copiesTheRest);
  it.each([
    ['aac.mp4', 1, ['-c:a', 'aac', '-b:a', '192k', '-aac_pns', '0'], [0.05, 0]],
    ['flac.mp4', 1, ['-c:a', 'flac', '-strict', '-2', '-frame_size', '1000', '-ar', '24000'], [0.1, 1e-4]],
    ['pcm.mov', 2, ['-c:a', 'pcm_s16le'], [1e-4, 0]],
    ['aac.mkv', 6, ['-c:a', 'aac', '-b:a', '600k', '-aac_pns', '0'], [0.05, 0]],
    ['opus-60.mkv', 1, ['-c:a', 'libopus', '-b:a', '24k', '-frame_duration', '60'], [0.3, 0.1]],
    ['opus.mp4', 6, ['-c:a', 'libopus', '-b:a', '400k', '-frame_duration', '10'], [0.3, 0.02]],
    ['flac.mkv', 2, ['-c:a', 'flac'], [0.1, 0]],
    ['flac-24.mkv', 6, ['-c:a', 'flac', '-sample_fmt', 's32', '-bits_per_raw_sample', '24'], [0.1, 0]],
    ['pcm.mkv', 1, ['-c:a', 'pcm_s16le'], [2e-3, 0]],
  ] as const)(copied, RARE, copiesTheRest);

  const silentIfEncoded = async (name: string, coding: readonly string[]) => {
    const source = await loudClip(name, 2, ...coding);
    const [whole, muted] = [await written(source, []), await written(source, MUTED)];
    const { input, tracks } = await openAudio(muted);
    using _open = input;
    expect(await tracks[0]!.getCodec()).toBe('aac');
    const [original, silenced] = [heard(whole), heard(muted)];
    for (const [from, until] of MUTED) {
      expect(loudness(original, from, until)).toBeGreaterThan(0.1);
      expect(loudness(silenced, from, until)).toBeLessThan(SILENT);
    }
  };
  const encoded = 'are silent in a track that has to be encoded again: %s';
  it.each([['mp3.mp4', ['-c:a', 'libmp3lame', '-b:a', '128k']]] as const)(encoded, silentIfEncoded);
  it.each([
    ['mp3.mkv', ['-c:a', 'libmp3lame', '-b:a', '192k']],
    ['telephone.mov', ['-c:a', 'pcm_alaw', '-ar', '8000']],
    ['ac3.mp4', ['-c:a', 'ac3', '-b:a', '192k']],
  ] as const)(encoded, RARE, silentIfEncoded);

  it('of a track that can be neither replaced nor decoded are refused, and the reader names the codec', async () => {
    for (const [name, coder, codec] of [
      ['eac3.mp4', 'eac3', 'eac3'],
      ['vorbis.mkv', 'libvorbis', 'vorbis'],
    ] as const) {
      const source = await loudClip(name, 2, '-c:a', coder);
      const reader = await videoCodec.open(sourceOf(source), LIMITS);
      expect(reader.unmutableAudio).toEqual([codec]);
      reader.close();
      await expect(written(source, MUTED)).rejects.toThrow(`its coding is ${codec}`);
    }
  });

  const silentAtEdges = async (name: string, before: readonly string[], coding: readonly string[]) => {
    const source = await clipWith(name, { level: LOUD, channels: 2, before, coding });
    const [seconds, hasBegun] = [heard(await written(source, [])).length / RATE, 0.6];
    for (const ranges of [
      [[0, hasBegun]],
      [[seconds - 0.1, 1e9]],
      [[1.0005, 1.0015]],
      [
        [0.8, 1],
        [0.9, 1.2],
        [1.2, 1.3],
      ],
    ] as const) {
      const silenced = heard(await written(source, ranges));
      for (const [from, until] of ranges) {
        expect(loudness(silenced, from, Math.min(until, seconds)), `${from}`).toBeLessThan(SILENT);
      }
    }
  };
  const atEdges = 'are silent at the start, at the end, for a millisecond and where ranges overlap: %s';
  it.each([['early-aac.mp4', ['-itsoffset', '-0.3'], ['-c:a', 'aac', '-b:a', '192k']]] as const)(
    atEdges,
    silentAtEdges,
  );
  it.each([
    ['late-opus.webm', ['-itsoffset', '0.5'], ['-c:a', 'libopus', '-b:a', '128k']],
    ['late-pcm.mov', ['-itsoffset', '0.5'], ['-c:a', 'pcm_s16le']],
    ['aac.mp4', [], ['-c:a', 'aac', '-b:a', '192k']],
    ['aac-8000.mov', [], ['-c:a', 'aac', '-b:a', '24k', '-ar', '8000']],
    ['late-aac.mp4', ['-itsoffset', '0.5'], ['-c:a', 'aac', '-b:a', '192k']],
    ['late-aac.mkv', ['-itsoffset', '0.5'], ['-c:a', 'aac', '-b:a', '192k']],
    ['opus.webm', [], ['-c:a', 'libopus', '-b:a', '128k']],
    ['opus-120.webm', [], ['-c:a', 'libopus', '-b:a', '24k', '-frame_duration', '120']],
    ['flac.mkv', [], ['-c:a', 'flac']],
    ['mp3.mp4', [], ['-c:a', 'libmp3lame', '-b:a', '128k']],
    ['late-mp3.mp4', ['-itsoffset', '0.5'], ['-c:a', 'libmp3lame', '-b:a', '128k']],
  ] as const)(atEdges, RARE, silentAtEdges);

  const hearsNoWord = async (name: string, coding: readonly string[]) => {
    for (const [from, until] of [
      [0, 0.2],
      [0.9, 1.1],
      [2.2, 2.45],
    ] as const) {
      const level = `between(t,${from},${until})*0.8*sin(2*PI*900*t)+0.01*sin(2*PI*200*t)`;
      const source = await clipWith(name, { level, channels: 1, coding });
      const original = heard(await written(source, []));
      const isLoud = (one: number): boolean => Math.abs(one) > 0.2;
      const word = [original.findIndex(isLoud), original.findLastIndex(isLoud)].map((at) => at / RATE);
      expect(word[1]! - word[0]!).toBeGreaterThan(until - from - 0.01);
      const silenced = heard(await written(source, [[word[0]! - 0.002, word[1]! + 0.002]]));
      expect(
        silenced.some((one) => Math.abs(one) > 0.1),
        `${from}`,
      ).toBe(false);
    }
  };
  const notMoved = 'are not moved: a word is heard nowhere in the result: %s';
  it.each([['aac.mp4', ['-c:a', 'aac', '-b:a', '192k']]] as const)(notMoved, hearsNoWord);
  it.each([
    ['flac-44100.mkv', ['-c:a', 'flac', '-ar', '44100']],
    ['telephone.mov', ['-c:a', 'pcm_alaw', '-ar', '8000']],
    ['opus.webm', ['-c:a', 'libopus', '-b:a', '128k']],
    ['flac.mkv', ['-c:a', 'flac']],
    ['mp3.mkv', ['-c:a', 'libmp3lame', '-b:a', '128k']],
    ['ac3.mp4', ['-c:a', 'ac3', '-b:a', '192k']],
  ] as const)(notMoved, RARE, hearsNoWord);

  it('that reach the end include sound behind the last frame', async () => {
    const source = await loudClip('long.mp4', 2, '-c:a', 'aac');
    const end = SECONDS + TAIL_SECONDS;
    expect(loudness(heard(source), SECONDS, end)).toBeGreaterThan(0.1);
    expect(loudness(heard(await written(source, [[1, 1e9]])), 1, end)).toBeLessThan(SILENT);
  });
});
