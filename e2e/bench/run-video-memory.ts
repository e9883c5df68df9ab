/**
 * Runs a long video through the pipeline with a detector that takes no time, in its own process. Memory over time does
 * not depend on the models, whose memory the other rows show.
 */
import { anonymiseVideo } from '#shared/engine/anonymise-video';
import type { VideoProgress } from '#shared/ports/engine';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions } from '#shared/testing/fake-models';
import { system } from '../../server/adapters/system';
import { videoCodec } from '../../server/adapters/video-backend';
import { createMemoryCurve, type MemoryCurve } from './memory-curve';
import { residentMiB } from './resident';
import { openVideoFiles } from './video-files';
import { videoJob } from './video-job';

export interface MemoryRun {
  readonly clip: string;
  readonly result: string;
}

const NEVER = new AbortController().signal;

const measure = async ({ clip, result }: MemoryRun): Promise<MemoryCurve> => {
  const files = await openVideoFiles(clip, result);
  const curve = createMemoryCurve(() => residentMiB(process.pid));
  const onProgress = ({ framesDone, framesTotal }: VideoProgress): void =>
    curve.onFrame(framesDone, framesTotal);
  const start = performance.now();
  const sessions = fakeSessions({ objects: colourCenterNet(0.8) });
  const ports = { sessions, manifest: FAKE_MANIFEST, system, videoCodec };
  const { frameCount } = await anonymiseVideo([videoJob(['vehicle']), files, onProgress, NEVER], ports);
  await files.close();
  return { frames: frameCount, wallMs: performance.now() - start, points: curve.points };
};

process.once('message', (run) => {
  void measure(run as MemoryRun).then((curve) => process.send?.(curve, () => process.exit()));
});
