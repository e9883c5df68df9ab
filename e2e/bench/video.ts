/**
 * `npm run bench:video`: frames per second from file to file, the time of each step, the time of decoding and encoding
 * alone (also with ffmpeg.wasm), and memory during a long video. A measurement, not a test: it never fails.
 *
 * Options: `--frames N` of each clip (48), `--every N`: search every Nth frame (1), `--size 1280x720`: only this size,
 * `--host server|page`: only this host, `--minutes N` of the long video (2; 0 skips it), `--pace N`: frames per second
 * of the long video (25), `--clip FILE`: only decodes and encodes this video, in the page.
 */
import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { buildOutdated } from './build-outdated';
import { head, machine, row } from './markdown';
import type { MemoryCurve } from './memory-curve';
import type { CodingRun } from './run-coding-on-server';
import type { MemoryRun } from './run-video-memory';
import type { VideoRun } from './run-video-on-server';
import { FRAMES_PER_SECOND, makeClip, repeatClip, type Size } from './video-clip';
import { CODERS_IN_PAGE, runLongInPage, runVideoInPage, servePage } from './run-in-page';
import { VIDEO_CASES, videoJob, type MeasuredVideo, type VideoCase } from './video-job';

endWhenOutputCloses();

const { values: flags } = parseArgs({
  options: {
    frames: { type: 'string', default: '48' },
    every: { type: 'string', default: '1' },
    size: { type: 'string' },
    host: { type: 'string' },
    minutes: { type: 'string', default: '2' },
    pace: { type: 'string', default: String(FRAMES_PER_SECOND) },
    clip: { type: 'string' },
  },
});
const FRAMES = Number(flags.frames);
const EVERY = Number(flags.every);
const MINUTES = Number(flags.minutes);
const PACE = Number(flags.pace);
const LONG_SIZE: Size = [1280, 720];
const SECONDS_PER_MINUTE = 60;
/** Number of models that run in parallel. */
const INFERENCE_WORKERS = { server: 2, page: 1 } as const;
type Host = keyof typeof INFERENCE_WORKERS;

const heading = (...columns: readonly string[]): void => console.log(`\n${head(columns)}`);

/**
 * Runs a script in its own process, with one message as its input and one as its output.
 *
 * `tsx/esm` translates only imports. Threads inherit it, and their pool first tries `require`: if that were translated,
 * too, the whole program would be loaded twice.
 */
const runIn = <Question extends object, Answer>(script: string, question: Question): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, script), [], { execArgv: ['--import', 'tsx/esm'] });
    child.once('message', (answer) => resolve(answer as Answer));
    child.once('exit', (code) => reject(new Error(`ended with code ${code}`)));
    child.send(question);
  });

const namesOf = (classes: VideoCase['classes']): string => {
  if (classes.length === 0) return 'none: coded alone';
  return classes.length === 4 ? 'all four' : classes.join(', ');
};

/** A missing value is a dash. */
const rounded = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(0));

const line = (
  { size, classes }: Pick<VideoCase, 'size' | 'classes'>,
  host: Host,
  measured: MeasuredVideo,
): string => {
  const { backend, frames, wallMs, cpuMs, peakMiB, timings } = measured;
  const { models = Number.NaN, ...steps } = timings;
  return row([
    size.join(' × '),
    namesOf(classes),
    `${host}, ${backend}`,
    ((frames * 1000) / wallMs).toFixed(2),
    rounded(cpuMs / frames),
    `${rounded((100 * models) / wallMs / INFERENCE_WORKERS[host])} %`,
    rounded(peakMiB),
    Object.entries(steps)
      .map(([step, ms]) => `${step} ${(ms / frames).toFixed(1)}`)
      .join(', '),
  ]);
};

/** @returns the functions that run one case on each host */
const hosts = (folder: string, origin: string) =>
  ({
    server: async (one, clip) => {
      const run: VideoRun = { ...one, every: EVERY, clip, result: join(folder, 'result.mp4') };
      return runIn<VideoRun, MeasuredVideo>('run-video-on-server.ts', run);
    },
    page: async ({ classes }, clip) => runVideoInPage(origin, await readFile(clip), videoJob(classes, EVERY)),
  }) satisfies Record<Host, (one: VideoCase, clip: string) => Promise<MeasuredVideo>>;

/** @returns the row of one measurement, or of its failure */
const rowOf = (
  one: Pick<VideoCase, 'size' | 'classes'>,
  host: Host,
  measuring: Promise<MeasuredVideo>,
): Promise<string> =>
  measuring.then(
    (measured) => line(one, host, measured),
    (error: unknown) => row([one.size.join(' × '), namesOf(one.classes), host, 'failed', String(error)]),
  );

const isAsked = (host: Host): boolean => flags.host === undefined || flags.host === host;

const COLUMNS = [
  'Video',
  'Classes',
  'Host',
  'Frames/s',
  'CPU ms',
  'Models busy',
  'Peak MiB',
  'ms of each step',
] as const;

/** Only decodes and encodes in the page, with each available codec. */
const codeInPage = async (size: Size, clip: string, origin: string, frames: number): Promise<void> => {
  const one = { size, classes: [] };
  for (const code of CODERS_IN_PAGE) console.log(await rowOf(one, 'page', code(origin, clip, frames)));
};

/** Only decodes and encodes, with each available codec. */
const measureCoding = async (size: Size, clip: string, folder: string, origin: string): Promise<void> => {
  const run: CodingRun = { clip, result: join(folder, 'result.mp4') };
  const onServer = (): Promise<MeasuredVideo> => runIn('run-coding-on-server.ts', run);
  if (isAsked('server')) console.log(await rowOf({ size, classes: [] }, 'server', onServer()));
  if (isAsked('page')) await codeInPage(size, clip, origin, FRAMES);
};

const measureCases = async (folder: string, origin: string): Promise<void> => {
  const run = hosts(folder, origin);
  heading(...COLUMNS);
  const clip = join(folder, 'clip.mp4');
  let lastSize = '';
  for (const one of VIDEO_CASES) {
    const size = one.size.join('x');
    if (flags.size !== undefined && flags.size !== size) continue;
    await writeFile(clip, await makeClip(FRAMES, one.size));
    if (size !== lastSize) await measureCoding(one.size, clip, folder, origin);
    lastSize = size;
    for (const host of ['server', 'page'] as const) {
      if (isAsked(host)) console.log(await rowOf(one, host, run[host](one, clip)));
    }
  }
};

/** Only decodes and encodes somebody's clip. */
const measureOwnClip = async (clip: string, origin: string): Promise<void> => {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(clip) });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error('the clip has no video');
  const { packetCount } = await track.computePacketStats();
  const size = [await track.getDisplayWidth(), await track.getDisplayHeight()] as const;
  input.dispose();
  heading(...COLUMNS);
  await codeInPage(size, clip, origin, packetCount);
};

const printCurve = (host: Host, { frames, wallMs, points }: MemoryCurve): void => {
  const perSecond = ((frames * 1000) / wallMs).toFixed(1);
  console.log(
    `\n${host}: ${LONG_SIZE.join(' × ')}, ${frames} frames (${MINUTES} min), without models: ${perSecond} frames/s`,
  );
  heading('Up to frame', 'Most MiB resident since the row above');
  for (const { frame, residentMiB } of points) console.log(row([frame, Math.round(residentMiB)]));
};

const measureMemory = async (folder: string, origin: string): Promise<void> => {
  const clip = join(folder, 'long.mp4');
  const frames = MINUTES * SECONDS_PER_MINUTE * PACE;
  await repeatClip(await makeClip(FRAMES, LONG_SIZE), frames, PACE, clip);
  const run: MemoryRun = { clip, result: join(folder, 'result.mp4') };
  if (isAsked('server')) {
    printCurve('server', await runIn<MemoryRun, MemoryCurve>('run-video-memory.ts', run));
  }
  if (isAsked('page')) printCurve('page', await runLongInPage(origin, clip));
};

buildOutdated();
console.log(machine());
console.log(
  `${FRAMES} frames of each clip; milliseconds are per frame, and of steps that run next to each other. ` +
    `Models busy: of the time of ${INFERENCE_WORKERS.server} inference workers on the server, ${INFERENCE_WORKERS.page} in the page.`,
);
const folder = await mkdtemp(join(tmpdir(), 'veil-bench-'));
const page = await servePage(
  ...(flags.clip === undefined ? [folder] : [folder, dirname(resolve(flags.clip))]),
);
const origin = page.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
try {
  if (flags.clip === undefined) {
    await measureCases(folder, origin);
    if (MINUTES > 0) await measureMemory(folder, origin);
  } else {
    await measureOwnClip(resolve(flags.clip), origin);
  }
} finally {
  await page.close();
  await rm(folder, { recursive: true, force: true });
}
