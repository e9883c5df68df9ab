/**
 * The part of the video benchmark that runs inside the page. The development server serves it with the page's modules.
 */
import type { VideoFiles, VideoJob } from '#shared/ports/engine';
import { createWorkerEngine } from '../../web/adapters/engine';
import { log } from '../../web/adapters/log';

export interface InPageVideo {
  /** Base64, because arguments are passed to a page as JSON. */
  readonly clip: string;
  readonly job: Omit<VideoJob, 'given'>;
}

const decode = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** Discards the output, because this benchmark does not measure storage. */
const filesOf = (clip: Uint8Array): VideoFiles => ({
  source: { sizeBytes: clip.byteLength, read: async (start, end) => clip.slice(start, end) },
  target: { write: async () => undefined },
  report: async () => undefined,
});

export const runVideo = async ({ clip, job }: InPageVideo) => {
  const engine = createWorkerEngine(log);
  const { backend } = await engine.load(job.options, () => undefined, new AbortController().signal);
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
