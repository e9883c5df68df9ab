/**
 * Runs a long video through the chain with a detector that costs nothing, in a process of its own: what memory does
 * over time depends on everything but the models, whose own is told by the other rows.
 */
import { anonymiseVideo } from '#shared/pipeline/anonymise-video';
import { colourCenterNet, FAKE_MANIFEST, fakeSessions } from '#shared/testing/fake-models';
import { system } from '../../server/adapters/system';
import { videoCodec } from '../../server/adapters/video-codec';
import { residentMiB } from './resident';
import { openVideoFiles } from './video-files';
import { videoJob } from './video-job';

export interface MemoryRun {
  readonly clip: string;
  readonly result: string;
}

/** Resident MiB after so many frames. */
export interface MemoryPoint {
  readonly frame: number;
  readonly residentMiB: number;
}

export interface MemoryCurve {
  readonly frames: number;
  readonly wallMs: number;
  readonly points: readonly MemoryPoint[];
}

/** Looked at often, so that a short rise is not missed; told at this many points. */
const POINTS = 12;
const NEVER = new AbortController().signal;

const measure = async ({ clip, result }: MemoryRun): Promise<MemoryCurve> => {
  const files = await openVideoFiles(clip, result);
  const points: MemoryPoint[] = [];
  let highest = 0;
  const onProgress = ({ framesDone, framesTotal }: { framesDone: number; framesTotal: number }): void => {
    highest = Math.max(highest, residentMiB(process.pid));
    if (framesDone < ((points.length + 1) * framesTotal) / POINTS) return;
    points.push({ frame: framesDone, residentMiB: highest });
    highest = 0;
  };
  const start = performance.now();
  const sessions = fakeSessions({ objects: colourCenterNet(0.8) });
  const ports = { sessions, manifest: FAKE_MANIFEST, system, videoCodec };
  const { frameCount } = await anonymiseVideo(videoJob(['vehicle']), files, ports, onProgress, NEVER);
  await files.close();
  return { frames: frameCount, wallMs: performance.now() - start, points };
};

process.once('message', (run) => {
  void measure(run as MemoryRun).then((curve) => process.send?.(curve, () => process.exit()));
});
