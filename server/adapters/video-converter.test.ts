import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { withConversion } from '#shared/engine/video/convert-video';
import type { ByteSource, VideoCodec, VideoLimits, VideoReader } from '#shared/ports/video';
import { createFakeLog } from '#shared/testing/fake-system';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { findFfmpeg, type Ffmpeg } from './find-ffmpeg';
import { videoCodec } from './video-backend';
import { createVideoConverter } from './video-converter';
import { encodeClip, sourceOf } from '../testing/clips';
import { createFakeFfmpeg, type FakeFfmpeg } from '../testing/fake-ffmpeg';
import { temporaryFolder } from '../testing/temporary-folder';

const AVI = new TextEncoder().encode('RIFF....AVI LIST and the rest');
const never = new AbortController().signal;

interface OnDisk {
  readonly source: ByteSource;
  readonly path: string;
  readonly folder: string;
}

const onDisk = (name: string, bytes: Uint8Array): OnDisk => {
  const folder = join(temporaryFolder(), 'task');
  mkdirSync(folder);
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const handle = { path, convertedPath: `${path}.converted.mp4` };
  return { source: { ...sourceOf(bytes), handle }, path, folder };
};

let mp4: Uint8Array;
beforeAll(async () => {
  const frames = [0, 0.04, 0.2].map((at) => [at, createRaster(96, 64, () => [90, 90, 90])] as const);
  mp4 = await encodeClip({ frames });
});

const codecWith = async (fake: FakeFfmpeg, log = createFakeLog()): Promise<VideoCodec> =>
  withConversion(videoCodec, createVideoConverter((await findFfmpeg(fake.path, {}))!, log));
const readAll = async (codec: VideoCodec, source: ByteSource, limits: VideoLimits = LIMITS) => {
  const reader = await codec.open(source, limits, never);
  try {
    const timesMs: number[] = [];
    for await (const { timestampUs } of reader.frames(never)) timesMs.push(Math.round(timestampUs / 1000));
    return { reader, timesMs };
  } finally {
    reader.close();
    await reader.discard?.();
  }
};
const unreadable = (sentence: RegExp) =>
  expect.objectContaining({ name: 'UnreadableFile', message: expect.stringMatching(sentence) as string });

describe('a video that cannot be read directly', () => {
  it('is converted by ffmpeg, and the temporary copy is removed', async () => {
    const fake = createFakeFfmpeg({ writes: mp4 });
    const { source, path, folder } = onDisk('a.avi', AVI);
    expect((await readAll(await codecWith(fake), source)).timesMs).toEqual([0, 40, 200]);
    expect(readdirSync(folder)).toEqual(['a.avi']);
    const [call, ...others] = fake.calls();
    expect(others).toEqual([]);
    expect(call?.args).toContain(`file:${path}`);
    expect(call?.args.at(-1)).toBe('pipe:1');
    expect(call?.args).toContain('-progress');
    expect(Object.keys(call?.env ?? {}).filter((name) => !name.startsWith('__'))).toEqual([]);
  });

  it('is converted to a file that other users cannot read', async () => {
    const { source, path } = onDisk('a.avi', AVI);
    const reader = await (await codecWith(createFakeFfmpeg({ writes: mp4 }))).open(source, LIMITS, never);
    expect(statSync(`${path}.converted.mp4`).mode & 0o777).toBe(0o600);
    reader.close();
    await reader.discard?.();
    expect(existsSync(`${path}.converted.mp4`)).toBe(false);
  });

  it('is converted to a new file, never into a file to which a link leads', async () => {
    const { source, path, folder } = onDisk('a.avi', AVI);
    const other = join(folder, 'other');
    writeFileSync(other, 'unchanged');
    symlinkSync(other, `${path}.converted.mp4`);
    expect((await readAll(await codecWith(createFakeFfmpeg({ writes: mp4 })), source)).timesMs).toHaveLength(
      3,
    );
    expect(readFileSync(other, 'utf8')).toBe('unchanged');
  });

  it('is converted with its audio encoded if that cannot be copied, which is not logged', async () => {
    const fake = createFakeFfmpeg({ writes: mp4, failsWhere: "args.includes('copy')" });
    const { source } = onDisk('a.avi', AVI);
    const log = createFakeLog();
    expect((await readAll(await codecWith(fake, log), source)).timesMs).toHaveLength(3);
    expect(fake.calls()).toHaveLength(2);
    expect(log.lines).toEqual([]);
  });

  it('reports how many of its frames could not be decoded', async () => {
    const says = [
      '[mjpeg @ 0x1] [error] huffman table decode error',
      '[error] Error while decoding stream #0:1: Invalid data found when processing input',
      '[verbose]   Input stream #0:0 (audio): 131 packets read (268288 bytes); 131 frames decoded; ',
      '[verbose]   Input stream #0:1 (video): 4 packets read (25 bytes); 3 frames decoded; ',
    ];
    const codec = await codecWith(createFakeFfmpeg({ writes: mp4, says }));
    const { reader } = await readAll(codec, onDisk('a.avi', AVI).source);
    expect(reader.lostFrames()).toBe(1);
  });

  it('reports the progress of its conversion', async () => {
    const says = ['[info]   Duration: 00:00:10.00, start: 0.000000, bitrate: 8 kb/s', 'out_time_us=2500000'];
    const shares: number[] = [];
    const codec = await codecWith(createFakeFfmpeg({ writes: mp4, says }));
    const reader = await codec.open(onDisk('a.avi', AVI).source, LIMITS, never, (share) =>
      shares.push(share),
    );
    reader.close();
    await reader.discard?.();
    expect([shares[0], shares.at(-1)]).toEqual([0, 0.25]);
  });

  it('is refused, and ffmpeg stopped, as soon as its frames change their colours', async () => {
    const others = 'color_space:bt709 color_primaries:bt709 color_trc:bt709';
    const says = ['tv', 'pc'].map((range) => `[showinfo @ 0x1] [info] color_range:${range} ${others}`);
    const fake = createFakeFfmpeg({ writes: mp4, says, forEver: true });
    const { source, folder } = onDisk('a.avi', AVI);
    await expect(readAll(await codecWith(fake), source)).rejects.toEqual(unreadable(/or colours for its/));
    expect([fake.isRunning(), readdirSync(folder)]).toEqual([false, ['a.avi']]);
  });

  it('is refused if it cannot be converted, and only the log contains ffmpeg’s messages', async () => {
    const log = createFakeLog();
    const { source, folder } = onDisk('a.avi', AVI);
    const codec = await codecWith(createFakeFfmpeg({ failsWhere: 'true' }), log);
    await expect(readAll(codec, source)).rejects.toEqual(unreadable(/^The video is damaged, or of a coding/));
    expect(JSON.stringify(log)).toContain('a secret of the file');
    expect(readdirSync(folder)).toEqual(['a.avi']);
  });

  it('is refused if the converted file is not a video or too large', async () => {
    const { source, folder } = onDisk('a.avi', AVI);
    const wrong = await codecWith(createFakeFfmpeg({ writes: AVI }));
    await expect(readAll(wrong, source)).rejects.toEqual(unreadable(/AVI video/));
    const endless = createFakeFfmpeg({ writes: mp4, forEver: true });
    const limits = { ...LIMITS, maxConvertedBytes: 1_000_000 };
    await expect(readAll(await codecWith(endless), source, limits)).rejects.toEqual(unreadable(/too long/));
    expect(endless.isRunning()).toBe(false);
    expect(readdirSync(folder)).toEqual(['a.avi']);
  });

  it('ends ffmpeg and leaves no file when it is aborted', async () => {
    const fake = createFakeFfmpeg({ writes: mp4, hangs: true });
    const { source, folder } = onDisk('a.avi', AVI);
    const abort = new AbortController();
    const opening = (await codecWith(fake)).open(source, LIMITS, abort.signal);
    const outcome = expect(opening).rejects.toThrow('deleted');
    await vi.waitFor(() => expect(fake.isRunning()).toBe(true), { timeout: 60_000 });
    abort.abort(new Error('deleted'));
    await outcome;
    expect([fake.isRunning(), readdirSync(folder)]).toEqual([false, ['a.avi']]);
  });
});

it('ffmpeg never gets a video that can be read directly, or a text', async () => {
  const fake = createFakeFfmpeg();
  const codec = await codecWith(fake);
  expect((await readAll(codec, onDisk('a.mp4', mp4).source)).timesMs).toHaveLength(3);
  for (const text of [
    '#EXTM3U\nfile:///etc/passwd\n',
    'ffconcat version 1.0\nfile /etc/passwd\n',
    '<MPD/>',
    'v=0\n',
  ]) {
    const { source } = onDisk('a.avi', new TextEncoder().encode(text));
    await expect(readAll(codec, source)).rejects.toEqual(unreadable(/not a video/));
  }
  expect(fake.calls()).toEqual([]);
});

describe('ffmpeg', () => {
  it('is searched for on the PATH, only in absolute folders', async () => {
    const { folder, path } = createFakeFfmpeg();
    expect(await findFfmpeg(undefined, { PATH: `.:/nowhere:${folder}` })).toEqual({ path, version: [5, 1] });
    expect(await findFfmpeg(undefined, { PATH: '/nowhere' })).toBeUndefined();
    expect(await findFfmpeg(undefined, {})).toBeUndefined();
  });

  it('is searched for with its extension on Windows', async () => {
    const { folder, path } = createFakeFfmpeg();
    expect(await findFfmpeg(undefined, { PATH: folder }, 'win32')).toBeUndefined();
    copyFileSync(path, `${path}.exe`);
    expect((await findFfmpeg(undefined, { PATH: folder }, 'win32'))?.path).toBe(`${path}.exe`);
  });

  it('is not used with `off`', async () => {
    expect(await findFfmpeg('off', { PATH: createFakeFfmpeg().folder })).toBeUndefined();
  });

  it.each([
    ['ffmpeg version n7.1 Copyright', [7, 1]],
    ['ffmpeg version 4.4.2-0ubuntu0.22.04.1', [4, 4]],
    ['ffmpeg version N-109468-gd39b34123d', [7, 0]],
  ] as const)('has its version recognised: %s', async (version, numbers) => {
    expect((await findFfmpeg(createFakeFfmpeg({ version }).path, {}))?.version).toEqual(numbers);
  });

  it('is refused if the named program is not ffmpeg', async () => {
    const problem = {
      name: 'StartProblem',
      message: expect.stringMatching(/^--ffmpeg .* is not an ffmpeg/) as string,
    };
    await expect(findFfmpeg('/nowhere/ffmpeg', {})).rejects.toMatchObject(problem);
    await expect(findFfmpeg(createFakeFfmpeg({ version: 'curl 8.0' }).path, {})).rejects.toMatchObject(
      problem,
    );
  });
});

const real: Ffmpeg | undefined = await findFfmpeg(undefined, process.env);
if (!real) console.warn('Skipped: real conversions, because no ffmpeg is installed.');

describe.skipIf(!real)('an installed ffmpeg', () => {
  const codec = (): VideoCodec => withConversion(videoCodec, createVideoConverter(real!, createFakeLog()));
  /** Writes a clip in which the upper left quarter is red, in another format. */
  const made = async (name: string, ...args: string[]): Promise<OnDisk> => {
    const seconds = [0, 0.04, 0.12, 0.16, 0.4];
    const frames = seconds.map(
      (at) =>
        [at, createRaster(96, 64, (x, y) => (x < 48 && y < 32 ? [220, 20, 20] : [90, 90, 90]))] as const,
    );
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'clip.mkv'), await encodeClip({ frames, container: 'mkv' }));
    const sine = ['-f', 'lavfi', '-i', 'sine=duration=0.5'];
    const clip = ['-v', 'error', '-i', join(folder, 'clip.mkv')];
    const options = [...clip, ...sine, '-fps_mode', 'passthrough', ...args];
    execFileSync(real!.path, [...options, join(folder, name)]);
    return onDisk(name, readFileSync(join(folder, name)));
  };
  const firstFrame = async (reader: VideoReader) => {
    for await (const { raster } of reader.frames(never)) return raster;
    throw new Error('no frame');
  };

  const readsIt = async (name: string, options: string): Promise<void> => {
    const { source, folder } = await made(name, ...options.split(' '));
    const reader = await codec().open(source, LIMITS, never);
    const raster = await firstFrame(reader);
    expect([raster.width, raster.height, reader.droppedAudioTracks]).toEqual([96, 64, []]);
    expect(pixelAt(raster, 10, 10)[0]).toBeGreaterThan(150);
    expect(pixelAt(raster, 80, 50)[0]).toBeLessThan(150);
    reader.close();
    await reader.discard?.();
    expect(readdirSync(folder)).toEqual([name]);
  };
  it.each([['a.avi', '-c:v mjpeg -c:a pcm_s16le']])('reads %s', readsIt);
  it.each([
    ['a.wmv', '-c:v wmv2 -c:a wmav2'],
    ['a.mpg', '-r 25 -c:v mpeg2video -c:a mp2'],
    ['a.ts', '-c:v libx264 -c:a aac'],
    ['a.flv', '-c:v flv1 -c:a mp3 -ar 44100'],
    ['a.mkv', '-c:v ffv1 -c:a flac'],
  ])('reads %s', { tags: ['slow'] }, readsIt);

  it('keeps odd sizes without the padding of the converter', async () => {
    const { source } = await made('a.avi', '-vf', 'scale=95:63', '-c:v', 'mpeg4', '-an');
    const reader = await codec().open(source, LIMITS, never);
    expect([reader.width, reader.height]).toEqual([95, 63]);
    for await (const { raster } of reader.frames(never)) {
      expect([raster.width, raster.height, raster.data.length]).toEqual([95, 63, 95 * 63 * 4]);
      expect([pixelAt(raster, 10, 10)[0] > 150, pixelAt(raster, 10, 62)[0] > 150]).toEqual([true, false]);
      expect(pixelAt(raster, 94, 62)[0]).toBeGreaterThan(60);
    }
    reader.close();
    await reader.discard?.();
  });

  it('reports how many frames of a damaged file are lost', async () => {
    const whole = await made('a.avi', '-r', '25', '-fps_mode', 'cfr', '-c:v', 'mjpeg', '-an');
    const before = (await readAll(codec(), whole.source)).timesMs.length;
    const bytes = readFileSync(whole.path);
    const frames = [...bytes.toString('latin1').matchAll(/00dc/g)].map(({ index }) => index);
    for (const index of [3, 6]) bytes.fill(0, frames[index]! + 8, frames[index + 1]);
    const { reader, timesMs } = await readAll(codec(), onDisk('bad.avi', bytes).source);
    expect(before - timesMs.length).toBe(2);
    expect(reader.lostFrames()).toBe(2);
  });

  it('reports how many frames are lost at the end of a truncated file', async () => {
    const whole = await made('a.avi', '-r', '25', '-fps_mode', 'cfr', '-c:v', 'mjpeg', '-an');
    const before = (await readAll(codec(), whole.source)).timesMs.length;
    const bytes = readFileSync(whole.path);
    const media = bytes.indexOf('movi');
    const frames = [...bytes.toString('latin1').matchAll(/00dc/g)].map(({ index }) => index);
    const fourthLast = frames.filter((index) => index > media)[before - 4]!;
    for (const end of [fourthLast, fourthLast + 20]) {
      const { reader, timesMs } = await readAll(codec(), onDisk('cut.avi', bytes.subarray(0, end)).source);
      expect(timesMs.length).toBe(before - 4);
      expect(reader.lostFrames()).toBe(4);
    }
  });

  it('keeps the times of frames', async () => {
    const { source } = await made('a.mkv', '-enc_time_base', '-1', '-c:v', 'ffv1', '-an');
    const { timesMs } = await readAll(codec(), source);
    expect(timesMs.map((at) => at - timesMs[0]!)).toEqual([0, 40, 120, 160, 400]);
  });

  it('does not follow a playlist with the name of a video', async () => {
    const { source } = onDisk('a.ts', new TextEncoder().encode('G'.padEnd(188, '#').repeat(3)));
    await expect(codec().open(source, LIMITS, never)).rejects.toEqual(unreadable(/damaged/));
  });
});
