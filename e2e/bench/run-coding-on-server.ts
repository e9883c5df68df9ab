/** Only decodes and encodes one video with the server's codec, in its own process. */
import { LIMITS } from '#shared/domain/limits';
import { videoCodec } from '../../server/adapters/video-backend';
import { openVideoFiles } from './video-files';
import type { MeasuredVideo } from './video-job';

export interface CodingRun {
  readonly clip: string;
  readonly result: string;
}

const NEVER = new AbortController().signal;

const measure = async ({ clip, result }: CodingRun): Promise<MeasuredVideo> => {
  const files = await openVideoFiles(clip, result);
  const reader = await videoCodec.open(files.source, LIMITS);
  const cpu = process.cpuUsage();
  const start = performance.now();
  const writer = await reader.createWriter(files.target, { keepBitRate: false });
  let frames = 0;
  for await (const frame of reader.frames(NEVER)) {
    await writer.add(frame);
    frames++;
  }
  await writer.finish();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  reader.close();
  await files.close();
  const peakMiB = process.resourceUsage().maxRSS / 1024;
  const backend = 'WebCodecs for Node';
  return { backend, frames, wallMs, cpuMs: (user + system) / 1000, peakMiB, timings: {} };
};

process.once('message', (run) => {
  void measure(run as CodingRun).then((measured) => process.send?.(measured, () => process.exit()));
});
