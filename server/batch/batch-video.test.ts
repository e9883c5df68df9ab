import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FAKE_RESULT } from '#shared/testing/fake-video-engine';
import type { VideoJob } from '#shared/ports/engine';
import { createPrivateFolder } from '../adapters/private-folder';
import { createBatchFolder, filesOf, type BatchFolder } from '../testing/batch-folder';
import { temporaryFolder } from '../testing/temporary-folder';

/** The fake engine refuses shorter files. */
const VIDEO_BYTES = 200;
/** Higher than any number of a process. */
const NO_PROCESS = 1_999_999_999;
const MP4 = '\0\0\0\x18ftypisom and the rest'.padEnd(VIDEO_BYTES);
const QUICKTIME = '\0\0\0\x18ftypqt   and the rest'.padEnd(VIDEO_BYTES);

let at: BatchFolder['at'];
let output: string;
let write: BatchFolder['write'];
let run: BatchFolder['run'];

beforeEach(() => {
  ({ at, output, write, run } = createBatchFolder());
});

/** All files of the output folder, including hidden ones. */
const allFiles = (): string[] => filesOf(output);

describe('a video', () => {
  it('is recognised by its content and becomes MP4', async () => {
    write('in/a.jpg');
    write('in/sub/b.bin', MP4);
    write('in/c.mov', QUICKTIME);
    write('in/d.mp4', MP4);
    const { isDone, of } = await run([at('in')]);
    expect(isDone).toBe(true);
    expect(of('start')).toMatchObject([{ images: 1, videos: 3 }]);
    expect(allFiles()).toEqual(['a.jpg', 'c.mov.mp4', 'd.mp4', 'sub/b.bin.mp4']);
    expect(new Uint8Array(readFileSync(join(output, 'd.mp4')))).toEqual(FAKE_RESULT);
    expect(statSync(join(output, 'd.mp4')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('gets metadata of all frames next to its result with --save-metadata, and never masks', async () => {
    write('in/a.mp4', MP4);
    await run([at('in'), '--save-metadata', '--save-mask', 'all'], { video: { frameCount: 1203 } });
    expect(allFiles()).toEqual(['a.json', 'a.mp4']);
    const frames = JSON.parse(readFileSync(join(output, 'a.json'), 'utf8')) as { id: number }[];
    expect(frames.map(({ id }) => id)).toEqual(Array.from({ length: 1203 }, (_, index) => index));
    expect(frames[600]).toMatchObject({
      id: 600,
      size: [64, 48],
      detections: [{ type_label: 'face', parent_image: 600, track_id: 7, is_anonymised: true }],
    });
  });

  it('is processed with the options of the flags', async () => {
    write('in/a.mp4', MP4);
    const jobs: VideoJob[] = [];
    const during = async (job: VideoJob): Promise<void> => void jobs.push(job);
    const video = { frameCount: 1, during };
    await run([at('in')], { video });
    await run(
      [
        at('in'),
        ...['--no-object-tracking', '--keep-bit-rate', '--detect-every', '3', '--method', 'blacken'],
        ...['--quality', 'thorough'],
      ],
      { video },
    );
    expect(jobs).toMatchObject([
      { noObjectTracking: false, keepBitRate: false, detectEvery: 1, options: { method: 'blur' } },
      {
        noObjectTracking: true,
        keepBitRate: true,
        detectEvery: 3,
        options: { method: 'blacken', qualityPreset: 'thorough' },
      },
    ]);
  });

  it('is reported with its progress, its detections and its losses', async () => {
    const input = write('in/a.mp4', MP4);
    const { of } = await run([at('in'), '--save-metadata'], { video: { frameCount: 1000 } });
    expect(of('progress')).toEqual([
      { event: 'progress', input, frames_done: 500, frames_total: 1000 },
      { event: 'progress', input, frames_done: 1000, frames_total: 1000 },
    ]);
    const facts = {
      frames: 1000,
      lost_frames: 0,
      lost_frames_uncertain: false,
      padding: [0, 0],
      reencoded_audio_tracks: 0,
      dropped_audio_tracks: 0,
      seconds: 1,
    };
    expect(of('done')).toEqual([
      {
        event: 'done',
        input,
        output: join(output, 'a.mp4'),
        metadata: join(output, 'a.json'),
        objects: { face: 1 },
        ...facts,
      },
    ]);
    const untracked = await run([at('in'), '--no-object-tracking'], { video: { frameCount: 1000 } });
    expect(untracked.of('done')).toMatchObject([{ objects: { face: 1000 }, metadata: null }]);
  });

  it('with --preview is marked in its name, its event and its report, and images are processed as usual', async () => {
    write('in/a.mov', QUICKTIME);
    write('in/b.jpg');
    const jobs: VideoJob[] = [];
    const during = async (job: VideoJob): Promise<void> => void jobs.push(job);
    const { of } = await run([at('in'), '--preview', '0.5s', '--save-report'], {
      video: { frameCount: 1, during },
    });
    expect(jobs).toMatchObject([{ preview: 0.5 }]);
    expect(allFiles()).toEqual([
      ...['a-preview-0.5s-report.html', 'a-preview-0.5s-report.json', 'a-preview-0.5s.mov.mp4'],
      ...['b-report.html', 'b-report.json', 'b.jpg'],
    ]);
    expect(of('done').find(({ input }) => input === at('in/a.mov'))).toMatchObject({ preview: 0.5 });
    const report = readFileSync(join(output, 'a-preview-0.5s-report.json'), 'utf8');
    expect(report).toContain('The result is a preview: it ends after 0.5 seconds of the source.');
    await run([at('in')], { video: { frameCount: 1 } });
    expect(allFiles()).toEqual(['a.mov.mp4', 'b.jpg']);
  });

  it.each(['0s', '3', '2h', 'x'])('is refused with --preview %s', async (text) => {
    await expect(run([at('in'), '--preview', text])).rejects.toThrow(
      `--preview must be a duration from 0.1s to 3600s, such as 3s, not "${text}".`,
    );
  });

  it('names the codecs of audio tracks that are missing in its result', async () => {
    write('in/a.mp4', MP4);
    const { of } = await run([at('in')], { video: { frameCount: 1, droppedAudioCodecs: ['ac3'] } });
    expect(of('done')).toMatchObject([{ dropped_audio_tracks: 1, dropped_audio_codecs: ['ac3'] }]);
  });

  it('with --method detect has only metadata, and fails without --save-metadata', async () => {
    write('in/a.mp4', MP4);
    write('in/b.jpg');
    await run([at('in'), '--method', 'detect', '--save-metadata']);
    expect(allFiles()).toEqual(['a.json', 'b.json']);
    const { failed } = await run([at('in'), '--method', 'detect', '--save-mask', 'binary']);
    expect(failed.map(({ error }) => error)).toEqual([
      'With --method detect a video has no result: add --save-metadata, --save-report, --save-log or --export.',
    ]);
  });

  it('that cannot be read fails with a sentence, and leaves no files', async () => {
    write('in/a.mp4', MP4);
    write('in/b.avi', 'RIFF....AVI ');
    write('in/c.mp4', '#EXTM3U\nfile:///etc/passwd');
    write('in/d.jpg');
    const video = { frameCount: 3, unreadable: 'The video is damaged.' };
    const { failed, end } = await run([at('in')], { video });
    expect(failed.map(({ error }) => error)).toEqual([
      'The file is an AVI video; MP4, QuickTime, WebM and Matroska videos are supported, and others where ffmpeg is installed.',
      'The file is not a video; MP4, QuickTime, WebM and Matroska videos are supported.',
      'The video is damaged.',
    ]);
    expect(end).toMatchObject({ done: 1, failed: 3, open: 0 });
    expect(allFiles()).toEqual(['d.jpg']);
  });
});

describe('a run with videos that is stopped', () => {
  it('leaves no partial video, and the next run continues', async () => {
    for (const name of ['a', 'b', 'c']) write(`in/${name}.mp4`, MP4);
    const stop = new AbortController();
    let begun = 0;
    const during = async (): Promise<void> => {
      begun += 1;
      if (begun === 2) stop.abort('SIGINT');
    };
    const { end, failed } = await run([at('in'), '--save-metadata'], {
      video: { frameCount: 2, during },
      stop,
    });
    expect([end['done'], end['open'], failed]).toEqual([1, 2, []]);
    // Two files are read at the same time; the first one that is ready is processed first.
    expect([
      ['a.json', 'a.mp4'],
      ['b.json', 'b.mp4'],
    ]).toContainEqual(allFiles());
    const again = await run([at('in'), '--save-metadata']);
    expect([again.processed, again.end['done'], again.end['skipped']]).toEqual([2, 2, 1]);
  });
});

describe('a converted copy of a video', () => {
  const scratch = (): string[] => readdirSync(process.env['TMPDIR']!);
  beforeEach(() => {
    vi.stubEnv('TMPDIR', temporaryFolder());
    return () => vi.unstubAllEnvs();
  });

  it('has a private folder outside of the output folder, which is removed with it', async () => {
    write('in/a.mp4', MP4);
    const modes: number[] = [];
    const during = async (): Promise<void> => {
      modes.push(...scratch().map((name) => statSync(join(process.env['TMPDIR']!, name)).mode & 0o777));
      expect(filesOf(output).filter((name) => name.includes('converted'))).toEqual([]);
    };
    await run([at('in')], { video: { frameCount: 1, during } });
    expect([modes, scratch()]).toEqual([[0o700], []]);
  });

  it('that a killed run left is removed by the next run, whatever that processes', async () => {
    const { path } = await createPrivateFolder({ pid: NO_PROCESS });
    writeFileSync(join(path, 'converted.mp4'), 'pixels');
    write('in/a.jpg');
    await run([at('in')]);
    expect(scratch()).toEqual([]);
  });
});

it('a changed flag for videos does not process images again', async () => {
  write('in/a.jpg');
  write('in/b.mp4', MP4);
  await run([at('in')]);
  const { of, processed } = await run([at('in'), '--keep-bit-rate']);
  expect([processed, of('skipped').map(({ input }) => input)]).toEqual([1, [at('in/a.jpg')]]);
});

it('a video never overwrites another file', async () => {
  write('in/a.mov', QUICKTIME);
  write('out/a.mov.mp4', 'somebody’s');
  const { failed } = await run([at('in')]);
  expect(failed).toMatchObject([
    { error: 'Its result a.mov.mp4 cannot be written: another file has this name.' },
  ]);
  expect(readFileSync(join(output, 'a.mov.mp4'), 'utf8')).toBe('somebody’s');
});
