import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { withConversion } from '#shared/engine/video/convert-video';
import { createFakeLog } from '#shared/testing/fake-system';
import { createRaster } from '#shared/testing/rasters';
import { findFfmpeg } from './find-ffmpeg';
import { videoCodec } from './video-backend';
import { createVideoConverter } from './video-converter';
import { BURST, expectBurst, detectTones, SOUND_SECONDS, TONE_HZ } from '../testing/bursts';
import { encodeClip, memoryTarget, sourceOf } from '../testing/clips';
import { temporaryFolder } from '../testing/temporary-folder';

const ffmpeg = await findFfmpeg(undefined, process.env);
if (!ffmpeg) console.warn('Skipped: conversion of audio only, because no ffmpeg is installed.');
const never = new AbortController().signal;

const TONE = `if(between(t,${BURST.from},${BURST.to}),0.8*sin(2*PI*${TONE_HZ}*t),0)`;

interface Made {
  readonly folder: string;
  readonly path: string;
}

/** Writes a clip with a burst of a tone in each of its audio tracks. */
const made = async (name: string, delaySeconds: number, ...codings: string[]): Promise<Made> => {
  const folder = join(temporaryFolder(), 'task');
  mkdirSync(folder);
  const frames = Array.from(
    { length: 25 * SOUND_SECONDS },
    (_, index) => [index * 0.04, createRaster(64, 48, () => [90, 90, 90])] as const,
  );
  const clip = join(temporaryFolder(), 'clip.mp4');
  writeFileSync(clip, await encodeClip({ frames }));
  const sound = `aevalsrc='${TONE}':d=${SOUND_SECONDS}:s=44100`;
  const path = join(folder, name);
  execFileSync(ffmpeg!.path, [
    ...['-v', 'error', '-i', clip, '-itsoffset', String(delaySeconds), '-f', 'lavfi', '-i', sound],
    ...['-map', '0:v', '-c:v', 'copy'],
    ...codings.flatMap((coding, track) => ['-map', '1:a', `-c:a:${track}`, coding]),
    path,
  ]);
  return { folder, path };
};

/** Reads a clip with conversion by ffmpeg, and writes it again. */
const rewritten = async ({ path }: Made) => {
  const codec = withConversion(videoCodec, createVideoConverter(ffmpeg!, createFakeLog()));
  const handle = { path, convertedPath: `${path}.converted.mp4` };
  const reader = await codec.open({ ...sourceOf(readFileSync(path)), handle }, LIMITS, never);
  const target = memoryTarget();
  const writer = await reader.createWriter(target, { keepBitRate: false });
  for await (const frame of reader.frames(never)) await writer.add(frame);
  await writer.finish();
  reader.close();
  await reader.discard?.();
  return { reader, bytes: target.bytes() };
};

describe.skipIf(!ffmpeg)('audio that the codec cannot read', () => {
  it.each([
    ['a.mov', 'alac', 0],
    ['a.mkv', 'mp2', 481 / 44_100], // the delay of its encoder, which Matroska does not store
  ])(
    'is converted to AAC by ffmpeg without a shift, and the temporary file is removed: %s, %s',
    async (name, coding, delay) => {
      const clip = await made(name, 0, coding);
      const { reader, bytes } = await rewritten(clip);
      expect([reader.copiedAudioTracks, reader.reencodedAudioTracks]).toEqual([0, 1]);
      const [heard] = await detectTones(bytes);
      expect(heard!.codec).toBe('aac');
      expectBurst(heard!, delay);
      expect(readdirSync(clip.folder)).toEqual([name]);
    },
  );

  it('keeps its start and its place among tracks that are copied', async () => {
    const { reader, bytes } = await rewritten(await made('a.mov', 0.2, 'pcm_s16le', 'alac', 'aac'));
    expect([reader.copiedAudioTracks, reader.reencodedAudioTracks]).toEqual([2, 1]);
    const heard = await detectTones(bytes);
    expect(heard.map(({ codec }) => codec)).toEqual(['pcm-s16', 'aac', 'aac']);
    for (const one of heard) expectBurst(one, 0.2);
  });

  it('is kept if the video is converted, too', async () => {
    const clip = await made('a.mov', 0, 'alac');
    const path = join(clip.folder, 'b.mov');
    execFileSync(ffmpeg!.path, ['-v', 'error', '-i', clip.path, '-c:v', 'prores', '-c:a', 'copy', path]);
    const { reader, bytes } = await rewritten({ ...clip, path });
    expect(reader.reencodedAudioTracks).toBe(1);
    expectBurst((await detectTones(bytes))[0]!);
  });

  it('is dropped, counted and named if ffmpeg cannot read it either', async () => {
    const clip = await made('a.mov', 0, 'alac');
    const text = readFileSync(clip.path, 'latin1').replaceAll('alac', 'xxxx');
    writeFileSync(clip.path, text, 'latin1');
    const { reader } = await rewritten(clip);
    expect([reader.reencodedAudioTracks, reader.droppedAudioTracks]).toEqual([0, [0]]);
    expect(reader.droppedAudioCodecs).toEqual(['xxxx']);
    expect(readdirSync(clip.folder)).toEqual(['a.mov']);
  });
});
