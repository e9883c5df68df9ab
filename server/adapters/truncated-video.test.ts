import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { withConversion } from '#shared/engine/video/convert-video';
import { createFakeLog } from '#shared/testing/fake-system';
import { findFfmpeg } from './find-ffmpeg';
import { videoCodec } from './video-backend';
import { createVideoConverter } from './video-converter';
import { sourceOf } from '../testing/clips';
import { temporaryFolder } from '../testing/temporary-folder';

const never = new AbortController().signal;
/** Rows of a table whose rule the other rows test in the short run. */
const RARE = { tags: ['slow'] };
const ffmpeg = await findFfmpeg(undefined, process.env);

/** Converts a file and reads all frames. */
const convert = async (name: string, bytes: Uint8Array) => {
  const folder = join(temporaryFolder(), 'task');
  mkdirSync(folder);
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const source = { ...sourceOf(bytes), handle: { path, convertedPath: `${path}.converted.mp4` } };
  const codec = withConversion(videoCodec, createVideoConverter(ffmpeg!, createFakeLog()));
  const reader = await codec.open(source, LIMITS, never);
  let frames = 0;
  for await (const _frame of reader.frames(never)) frames++;
  reader.close();
  await reader.discard?.();
  return { frames, lost: reader.lostFrames(), isUncertain: reader.isLossUncertain?.() };
};

/** Truncates a new file to a share of its bytes. @returns lost frames: true number and reported number */
const truncate = async (name: string, options: string, share: number) => {
  const path = join(temporaryFolder(), name);
  const inputs = ['testsrc=size=160x120:rate=25:duration=2', 'sine=duration=2'];
  const args = inputs.flatMap((input) => ['-f', 'lavfi', '-i', input]);
  execFileSync(ffmpeg!.path, ['-v', 'error', ...args, ...options.split(' '), path]);
  const bytes = readFileSync(path);
  const { frames: before } = await convert(name, bytes);
  const { frames, lost, isUncertain } = await convert(
    name,
    bytes.subarray(0, Math.floor(bytes.length * share)),
  );
  return { missing: before - frames, reported: lost, isUncertain };
};

describe.skipIf(!ffmpeg)('a video that is converted', () => {
  const estimatesLoss = async (...args: readonly [name: string, options: string]): Promise<void> => {
    for (const share of [0.5, 0.7]) {
      const { missing, reported, isUncertain } = await truncate(...args, share);
      expect(missing).toBeGreaterThan(5);
      expect(Math.abs(reported - missing), `${reported} for ${missing}`).toBeLessThanOrEqual(1);
      expect(isUncertain).toBe(true);
    }
  };
  const estimated = 'has its frames that are lost at the end estimated by its duration: %s';
  it.each([['a.flv', '-c:v flv1 -an']])(estimated, estimatesLoss);
  it.each([
    ['a.wmv', '-c:v wmv2 -an'],
    ['b.flv', '-c:v flv1 -c:a mp3 -ar 44100 -t 2'],
  ])(estimated, RARE, estimatesLoss);

  it('has an unknown number of lost frames if it is truncated and states no length', async () => {
    expect(await truncate('a.mpg', '-r 25 -c:v mpeg2video -an', 0.605)).toMatchObject({ isUncertain: true });
  });

  const losesNone = async (name: string, options: string): Promise<void> => {
    const { missing, reported, isUncertain } = await truncate(name, options, 1);
    expect([missing, reported, isUncertain]).toEqual([0, 0, false]);
  };
  const complete = 'has no lost frames if it is complete: %s';
  it.each([['a.flv', '-c:v flv1 -c:a mp3 -ar 44100']])(complete, losesNone);
  it.each([
    ['a.wmv', '-c:v wmv2 -c:a wmav2'],
    ['a.mkv', '-c:v mpeg4 -c:a flac'],
    ['a.mpg', '-r 25 -c:v mpeg2video -c:a mp2'],
    ['a.avi', '-c:v mjpeg -c:a pcm_s16le'],
  ])(complete, RARE, losesNone);
});
