/**
 * Runs one video on the server's pool of threads, in its own process, so that the memory belongs only to this video.
 */
import { join } from 'node:path';
import { defaultImageOptions } from '#shared/domain/options';
import { createPoolEngine } from '../../server/adapters/engine';
import { threadsPerWorker } from '../../server/cli/config';
import { type VideoCase, type MeasuredVideo, videoJob } from './video-job';
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
  const modelsFolder = join(ROOT, 'models');
  const engine = createPoolEngine({
    workerFile: join(ROOT, 'dist/server/workers/engine-worker.js'),
    workers: 1,
    workerData: {
      modelsFolder,
      packsFolder: join(modelsFolder, 'installed'),
      threads: threadsPerWorker(1),
      video: 'package',
      ffmpeg: undefined,
      log: { logLevel: 'info', logFormat: 'json' },
    },
  });
  const { backend } = await engine.load(
    defaultImageOptions({ classes }),
    ignore,
    new AbortController().signal,
  );
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
