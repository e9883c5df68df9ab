/** Runs one video on the server's own pool of threads, in a process of its own, whose memory is then that video's. */
import { join } from 'node:path';
import { openEngine } from '../../server/open-engine';
import type { VideoCase, MeasuredVideo } from './video-job';
import { videoJob } from './video-job';
import { openVideoFiles } from './video-files';

const ROOT = join(import.meta.dirname, '../..');
const NEVER = new AbortController().signal;
const ignore = (): void => undefined;

export interface VideoRun extends VideoCase {
  readonly every: number;
  readonly clip: string;
  readonly result: string;
}

const measure = async ({ clip, result, classes, every }: VideoRun): Promise<MeasuredVideo> => {
  const engine = await openEngine(ROOT, {
    workers: 1,
    packsFolder: undefined,
    logLevel: 'info',
    logFormat: 'json',
  });
  const { backend } = await engine.load(classes, ignore, new AbortController().signal);
  const files = await openVideoFiles(clip, result);
  const cpu = process.cpuUsage();
  const start = performance.now();
  const { frameCount, timings } = await engine.anonymiseVideo(videoJob(classes, every), files, ignore, NEVER);
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  await files.close();
  await engine.close();
  const peakMiB = process.resourceUsage().maxRSS / 1024;
  return { backend, frames: frameCount, wallMs, cpuMs: (user + system) / 1000, peakMiB, timings };
};

process.once('message', (run) => {
  void measure(run as VideoRun).then((measured) => process.send?.(measured, () => process.exit()));
});
