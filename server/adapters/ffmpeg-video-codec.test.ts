import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { createRaster } from '#shared/testing/rasters';
import { createFfmpegVideoCodec } from './video-backend';
import { findFfmpeg } from './find-ffmpeg';
import { encodeClip, readWith, sourceOf } from '../testing/clips';
import { createFakeFfmpeg } from '../testing/fake-ffmpeg';

const THREADS = 2;
const ffmpeg = await findFfmpeg(undefined, process.env);

if (!ffmpeg) console.warn('Skipped: all tests of videos once more with ffmpeg, because none is installed.');

// All tests of the package's video codec, with ffmpeg instead. Not `skipIf`, which reads them all the same.
if (ffmpeg) {
  describe('with ffmpeg', { tags: ['slow'] }, async () => {
    readWith(createFfmpegVideoCodec(ffmpeg, THREADS));
    await import('./video-backend.test');
    await import('./broken-video.test');
    await import('./odd-videos.test');
    await import('./video-colours.test');
    await import('./hdr-video.test');
  });
}

const clip = (count = 3): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: count }, (_, index) => [
      index * 0.04,
      createRaster(64, 48, () => [index, 90, 90]),
    ]),
  });
const DECODERS = [' VFS..D h264                 H.264', ' V....D libx264              H.264'].join('\n');
const codecOf = async (fake: ReturnType<typeof createFakeFfmpeg>) =>
  createFfmpegVideoCodec((await findFfmpeg(fake.path, {}))!, THREADS);

describe('an ffmpeg process that decodes packets', () => {
  it('gets no file, no address and no environment variables', async () => {
    const fake = createFakeFfmpeg({ writes: new TextEncoder().encode(DECODERS) });
    const codec = await codecOf(fake);
    const reader = await codec.open(sourceOf(await clip()), LIMITS);
    await expect(reader.frames(new AbortController().signal)[Symbol.asyncIterator]().next()).rejects.toThrow(
      /cannot be decoded/,
    );
    reader.close();
    const decoding = fake.calls().filter(({ args }) => args.includes('rawvideo'));
    expect(decoding.length).toBeGreaterThan(0);
    for (const { args, env } of decoding) {
      expect(args.join(' ')).toContain('-protocol_whitelist pipe -format_whitelist matroska');
      expect(args.filter((_, at) => args[at - 1] === '-i')).toEqual(['pipe:0']);
      expect(env).toEqual({});
    }
  });

  it('is killed when reading is aborted', async () => {
    const fake = createFakeFfmpeg({
      writes: new TextEncoder().encode(DECODERS),
      hangsWhere: "args.includes('rawvideo')",
    });
    const reader = await (await codecOf(fake)).open(sourceOf(await clip()), LIMITS);
    const abort = new AbortController();
    const reading = reader.frames(abort.signal)[Symbol.asyncIterator]().next();
    await expect.poll(fake.isRunning).toBe(true);
    abort.abort();
    await expect(reading).rejects.toThrow(/abort/);
    await expect.poll(fake.isRunning).toBe(false);
    reader.close();
  });
});

describe('an ffmpeg program that was removed', () => {
  it('is not reported as a defect of the video', async () => {
    const codec = createFfmpegVideoCodec({ path: '/nowhere/ffmpeg', version: [5, 1] }, THREADS);
    await expect(codec.open(sourceOf(await clip()), LIMITS)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
