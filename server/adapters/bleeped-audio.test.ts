import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { US_PER_SECOND } from '#shared/domain/plan';
import type { MutedTimeRange } from '#shared/ports/video';
import { createRaster } from '#shared/testing/rasters';
import { findFfmpeg } from './find-ffmpeg';
import { videoCodec } from './video-backend';
import { encodeClip, memoryTarget, sourceOf } from '../testing/clips';
import { temporaryFolder } from '../testing/temporary-folder';

const ffmpeg = await findFfmpeg(undefined, process.env);
if (!ffmpeg) console.warn('Skipped: bleeps in audio, because no ffmpeg is installed.');
const never = new AbortController().signal;

const SECONDS = 2;
const RATE = 48_000;
const BLEEP = [0.5, 0.8] as const;
const SILENCE = [1.2, 1.4] as const;
/** A click far from both, and one between them: what they are moved by is what the sound is moved by. */
const CLICKS = [0.2, 1.0] as const;
const run = (...args: string[]): Buffer =>
  execFileSync(ffmpeg!.path, ['-v', 'error', ...args], { maxBuffer: 2 ** 30 });

/** Noise that never repeats, with clicks: a leak of it is found by correlation. */
const SOUND = `0.2*(random(0)-0.5)+0.7*(${CLICKS.map((at) => `between(t,${at},${at + 0.001})`).join('+')})`;

const clip = async (name: string, ...coding: string[]): Promise<Uint8Array> => {
  const folder = temporaryFolder();
  const [silent, path] = [join(folder, 'clip.mp4'), join(folder, name)];
  const frames = Array.from(
    { length: 25 * SECONDS },
    (_, i) => [i * 0.04, createRaster(64, 48, () => [90, 90, 90])] as const,
  );
  writeFileSync(silent, await encodeClip({ frames }));
  const sound = `aevalsrc='${SOUND}|${SOUND}':d=${SECONDS}:s=${RATE}`;
  run(
    '-i',
    silent,
    '-f',
    'lavfi',
    '-i',
    sound,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c:v',
    'copy',
    ...coding,
    path,
  );
  return readFileSync(path);
};

const RANGES: readonly MutedTimeRange[] = [
  { fromUs: BLEEP[0] * US_PER_SECOND, untilUs: BLEEP[1] * US_PER_SECOND, as: 'bleep' },
  { fromUs: SILENCE[0] * US_PER_SECOND, untilUs: SILENCE[1] * US_PER_SECOND },
];

/** The clip as the product writes it. */
const written = async (bytes: Uint8Array, mutedRanges: readonly MutedTimeRange[]) => {
  const reader = await videoCodec.open(sourceOf(bytes), LIMITS);
  const target = memoryTarget();
  const writer = await reader.createWriter(target, { keepBitRate: false, mutedRanges });
  for await (const frame of reader.frames(never)) await writer.add(frame);
  await writer.finish();
  reader.close();
  return { bytes: target.bytes(), encodedAudio: writer.encodedAudio };
};

/** The first channel, from time 0 on. */
const heard = (bytes: Uint8Array): Float32Array => {
  const path = join(temporaryFolder(), 'a.mp4');
  writeFileSync(path, bytes);
  const filters = `aresample=${RATE}:async=1:first_pts=0,pan=mono|c0=c0`;
  const pcm = run('-i', path, '-map', '0:a:0', '-af', filters, '-f', 'f32le', '-');
  return new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength));
};

const partOf = (levels: Float32Array, from: number, until: number): Float32Array =>
  levels.subarray(Math.round(from * RATE), Math.round(until * RATE));
const energy = (levels: Float32Array): number => levels.reduce((sum, level) => sum + level * level, 0);
/** Relative to the loudest sine (AES17). */
const dBFS = (levels: Float32Array): number => 10 * Math.log10((2 * energy(levels)) / levels.length);
const loudestAt = (levels: Float32Array, from: number, until: number): number => {
  const part = partOf(levels, from, until);
  return (
    from + part.reduce((best, level, i) => (Math.abs(level) > Math.abs(part[best]!) ? i : best), 0) / RATE
  );
};

/** Largest correlation of two sounds at any shift of up to 5 ms, 0..1. */
const correlation = (one: Float32Array, other: Float32Array, from: number, until: number): number => {
  const part = partOf(one, from, until);
  let largest = 0;
  for (let shift = -0.005 * RATE; shift <= 0.005 * RATE; shift++) {
    const from2 = Math.round(from * RATE) + shift;
    const shifted = other.subarray(from2, from2 + part.length);
    const product = part.reduce((sum, level, i) => sum + level * (shifted[i] ?? 0), 0);
    largest = Math.max(largest, Math.abs(product) / Math.sqrt(energy(part) * energy(shifted) || 1));
  }
  return largest;
};

describe.skipIf(!ffmpeg)('a bleep', () => {
  const isTone = async (name: string, coding: readonly string[]) => {
    const source = await clip(name, ...coding);
    const original = heard((await written(source, [])).bytes);
    const result = await written(source, RANGES);
    const bleeped = heard(result.bytes);
    expect(result.encodedAudio).toEqual(['aac']);
    const inner = [BLEEP[0] + 0.02, BLEEP[1] - 0.02] as const;
    expect(Math.abs(dBFS(partOf(bleeped, ...inner)) + 20)).toBeLessThan(0.5);
    // A tone alone: what is left without it is quieter by 40 dB.
    const tone = partOf(bleeped, ...inner);
    const [sine, cosine] = [Math.sin, Math.cos].map((wave) =>
      tone.reduce((sum, level, i) => sum + level * wave((2 * Math.PI * 1000 * i) / RATE), 0),
    );
    const share = (2 * (sine! ** 2 + cosine! ** 2)) / tone.length / energy(tone);
    expect(share).toBeGreaterThan(0.9999);
    for (const [from, until] of [BLEEP, SILENCE]) {
      expect(correlation(bleeped, original, from, until)).toBeLessThan(0.06);
      expect(correlation(original, original, from, until)).toBeGreaterThan(0.99);
    }
    expect(Math.max(...partOf(bleeped, ...SILENCE).map(Math.abs))).toBeLessThan(1e-6);
    for (const at of CLICKS) {
      const [before, after] = [original, bleeped].map((one) => loudestAt(one, at - 0.05, at + 0.05));
      expect(Math.abs(after! - before!)).toBeLessThan(0.02);
    }
  };
  const tone = 'is a tone of −20 dBFS without the sound, and nothing else is moved: %s';
  it.each([['aac.mp4', ['-c:a', 'aac', '-b:a', '192k']]] as const)(tone, isTone);
  it.each([
    ['opus.mp4', ['-c:a', 'libopus', '-b:a', '160k']],
    ['flac.mp4', ['-c:a', 'flac', '-strict', '-2']],
    ['pcm.mov', ['-c:a', 'pcm_s16le']],
    ['mp3.mp4', ['-c:a', 'libmp3lame', '-b:a', '128k']],
  ] as const)(tone, { tags: ['slow'] }, isTone);

  it('begins and ends without a click: no step is larger than those of the tone', async () => {
    const quiet = await clip('aac.mp4', '-af', 'volume=0', '-c:a', 'aac', '-b:a', '192k');
    const bleeped = heard((await written(quiet, RANGES)).bytes);
    const largestStep = (from: number, until: number): number => {
      const part = partOf(bleeped, from, until);
      return part.reduce(
        (largest, level, i) => Math.max(largest, Math.abs(level - (part[i - 1] ?? level))),
        0,
      );
    };
    const ofTone = largestStep(BLEEP[0] + 0.05, BLEEP[1] - 0.05);
    expect(largestStep(BLEEP[0] - 0.1, BLEEP[1] + 0.1)).toBeLessThanOrEqual(ofTone * 1.05);
  });

  it('is refused where the track can be muted, but not encoded, and the reader names its codec', async () => {
    const source = await clip('vorbis.mkv', '-c:a', 'libvorbis');
    const reader = await videoCodec.open(sourceOf(source), LIMITS);
    expect(reader.unbleepableAudio).toEqual(['vorbis']);
    reader.close();
    await expect(written(source, RANGES)).rejects.toThrow('its coding is vorbis');
  });
});
