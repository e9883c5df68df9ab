/**
 * `npm run bench:video`: frames a second from file to file, what of it which step takes, and memory over a long video.
 * A measurement, not a test: it never fails.
 *
 * Options: `--frames N` of each clip (48), `--minutes N` of the long video (2; 0 leaves it out).
 */
import { fork, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { MemoryCurve, MemoryRun } from './run-video-memory';
import type { VideoRun } from './run-video-on-server';
import { FRAMES_PER_SECOND, makeClip, repeatClip, type Size } from './video-clip';
import { VIDEO_CASES, type MeasuredVideo, type VideoCase } from './video-job';

const { values: flags } = parseArgs({
  options: { frames: { type: 'string', default: '48' }, minutes: { type: 'string', default: '2' } },
});
const FRAMES = Number(flags.frames);
const MINUTES = Number(flags.minutes);
const LONG_SIZE: Size = [1280, 720];
const SECONDS_PER_MINUTE = 60;
/** Steps that run beside each other may add up to more than the whole. */
const MODELS = 'models';

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const heading = (...cells: readonly string[]): void =>
  console.log(`\n${row(cells)}\n${row(cells.map(() => '---'))}`);

/** Builds what is not up to date: the engine's threads run the built program. */
const build = (): void =>
  void spawnSync(process.execPath, ['server/bin/veil.mjs', '--help'], { stdio: 'ignore' });

/** Runs a script in a process of its own: what it is asked goes in as one message, what it says comes as another. */
const runIn = <Question extends object, Answer>(script: string, question: Question): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, script), [], { execArgv: ['--import', 'tsx'] });
    child.once('message', (answer) => resolve(answer as Answer));
    child.once('exit', (code) => reject(new Error(`ended with code ${code}`)));
    child.send(question);
  });

const line = ({ size, classes }: VideoCase, host: string, measured: MeasuredVideo): string => {
  const { backend, frames, wallMs, cpuMs, peakMiB, timings } = measured;
  const { [MODELS]: models = Number.NaN, ...steps } = timings;
  return row([
    size.join(' × '),
    classes.length === 4 ? 'all four' : classes.join(', '),
    `${host}, ${backend}`,
    ((frames * 1000) / wallMs).toFixed(2),
    Math.round(cpuMs / frames),
    `${Math.round((100 * models) / wallMs)} %`,
    Math.round(peakMiB),
    Object.entries(steps)
      .map(([step, ms]) => `${step} ${(ms / frames).toFixed(1)}`)
      .join(', '),
  ]);
};

const measureCase = async (one: VideoCase, folder: string): Promise<void> => {
  const clip = join(folder, 'clip.mp4');
  await writeFile(clip, await makeClip(FRAMES, one.size));
  const run: VideoRun = { ...one, clip, result: join(folder, 'result.mp4') };
  const text = await runIn<VideoRun, MeasuredVideo>('run-video-on-server.ts', run).then(
    (measured) => line(one, 'server', measured),
    (error: unknown) =>
      row([one.size.join(' × '), one.classes.join(', '), 'server', 'failed', String(error)]),
  );
  console.log(text);
};

const measureMemory = async (folder: string): Promise<void> => {
  const clip = join(folder, 'long.mp4');
  const frames = MINUTES * SECONDS_PER_MINUTE * FRAMES_PER_SECOND;
  await repeatClip(await makeClip(FRAMES, LONG_SIZE), frames, clip);
  const run: MemoryRun = { clip, result: join(folder, 'result.mp4') };
  const curve = await runIn<MemoryRun, MemoryCurve>('run-video-memory.ts', run);
  const { points, wallMs } = curve;
  console.log(
    `\n${LONG_SIZE.join(' × ')}, ${curve.frames} frames (${MINUTES} min), without models: ` +
      `${((curve.frames * 1000) / wallMs).toFixed(1)} frames/s`,
  );
  heading('Up to frame', 'Most MiB resident since the row above');
  for (const { frame, residentMiB } of points) console.log(row([frame, Math.round(residentMiB)]));
};

build();
console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`);
console.log(`${FRAMES} frames of each clip; milliseconds are per frame`);
const folder = await mkdtemp(join(tmpdir(), 'veil-bench-'));
try {
  heading('Video', 'Classes', 'Host', 'Frames/s', 'CPU ms', 'Models of all', 'Peak MiB', 'ms of each step');
  for (const one of VIDEO_CASES) await measureCase(one, folder);
  if (MINUTES > 0) await measureMemory(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
