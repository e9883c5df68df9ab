import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSpeechMeter } from '#shared/engine/sound/speech';
import { findFfmpeg } from './find-ffmpeg';
import { temporaryFolder } from '../testing/temporary-folder';

const ffmpeg = await findFfmpeg(undefined, process.env);
const speaks = spawnSync('espeak-ng', ['--version']).status === 0;
if (!ffmpeg || !speaks) {
  console.warn('Skipped: speech in audio, because ffmpeg or espeak-ng is not installed.');
}

const RATE = 16_000;
const TEXT =
  'The witness came to the reception at nine. Her name is Anna Bergmann, and she lives at number twelve, Garden ' +
  'Street. We called her on Monday, but nobody answered. Please call back later, and thank you for your help.';
const VOICES = ['en-us', 'en-gb', 'de', 'fr', 'es', 'it'];

const decoded = (...input: string[]): Float32Array => {
  const pcm = execFileSync(
    ffmpeg!.path,
    ['-v', 'error', ...input, '-ac', '1', '-ar', `${RATE}`, '-f', 'f32le', '-'],
    { maxBuffer: 2 ** 28 },
  );
  return new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength));
};
const spoken = (voice: string): Float32Array => {
  const path = join(temporaryFolder(), 'voice.wav');
  execFileSync('espeak-ng', ['-v', voice, '-w', path, TEXT]);
  return decoded('-i', path);
};
const made = (source: string): Float32Array => decoded('-f', 'lavfi', '-i', source);

/** Share of a sound that is taken for speech. */
const speechShare = (levels: Float32Array): number => {
  const meter = createSpeechMeter(RATE);
  for (let at = 0; at < levels.length; at += 1024) meter.add(levels.subarray(at, at + 1024));
  const seconds = meter.parts().reduce((sum, { start, end }) => sum + end - start, 0);
  return seconds / (levels.length / RATE);
};

const mixed = (voice: Float32Array, other: Float32Array, gain: number): Float32Array =>
  voice.map((level, i) => level + gain * other[i % other.length]!);

const NOTES = "aevalsrc='0.4*sin(2*PI*220*pow(2,floor(mod(t*4,12))/12)*t)*exp(-9*mod(t,0.25))':d=12";
const CHORDS = "aevalsrc='0.2*(sin(2*PI*262*t)+sin(2*PI*330*t)+sin(2*PI*392*t))*exp(-2*mod(t,0.5))':d=12";

describe.skipIf(!ffmpeg || !speaks)('parts with speech', () => {
  it('are found in voices of six languages, also next to noise and music', () => {
    const [noise, chords] = [made('anoisesrc=c=pink:a=0.2:d=12'), made(CHORDS)];
    const voices = VOICES.map(spoken);
    const shares = voices.flatMap((voice) => [
      speechShare(voice),
      speechShare(mixed(voice, noise, 0.1)),
      speechShare(mixed(voice, chords, 0.1)),
    ]);
    console.info('Speech: recall', shares.reduce((sum, share) => sum + share, 0) / shares.length);
    expect(Math.min(...shares)).toBeGreaterThan(0.85);
  });

  it('are not found in noise, held chords, notes and silence', () => {
    const sounds = [
      ...['white', 'pink', 'brown'].map((colour) => `anoisesrc=c=${colour}:a=0.2:d=12`),
      ...[CHORDS, NOTES, 'anullsrc=d=12', "aevalsrc='0.3*(random(0)-0.5)*lt(mod(t,0.7),0.4)':d=12"],
    ];
    const shares = sounds.map((source) => speechShare(made(source)));
    console.info('Speech: false', shares);
    expect(Math.max(...shares)).toBeLessThan(0.1);
  });
});
