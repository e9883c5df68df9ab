/** What the benchmark of videos runs inside the page; served by the development server with the page's own modules. */
import type { VideoFiles, VideoJob } from '#shared/ports/engine';
import { createWorkerEngine } from '../../web/adapters/engine';
import { log } from '../../web/adapters/log';

export interface InPageVideo {
  /** Base64, as arguments reach a page as JSON. */
  readonly clip: string;
  readonly job: VideoJob;
}

const decode = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** What is written goes nowhere: writing to the page's files is not what takes time. */
const filesOf = (clip: Uint8Array): VideoFiles => ({
  source: { sizeBytes: clip.byteLength, read: async (start, end) => clip.slice(start, end) },
  target: { write: async () => undefined },
  report: async () => undefined,
});

export const runVideo = async ({ clip, job }: InPageVideo) => {
  const engine = createWorkerEngine(log);
  const { backend } = await engine.load(job.options.classes, () => undefined, new AbortController().signal);
  const start = performance.now();
  const never = new AbortController().signal;
  const { frameCount, timings } = await engine.anonymiseVideo(
    job,
    filesOf(decode(clip)),
    () => undefined,
    never,
  );
  return { backend, frames: frameCount, wallMs: performance.now() - start, timings };
};
