/** What the benchmark runs inside the page; served by the development server with the page's own modules. */
import type { ImageJob } from '#shared/ports/engine';
import { createWorkerEngine } from '../../web/adapters/engine';
import { log } from '../../web/adapters/log';
import type { Run } from './job';

export interface InPage {
  /** Base64, as arguments reach a page as JSON. */
  readonly warmUp: string;
  readonly picture: string;
  readonly job: Omit<ImageJob, 'bytes'>;
  readonly runs: number;
}

const decode = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

export const runCase = async ({ warmUp, picture, job, runs }: InPage) => {
  const engine = createWorkerEngine(log);
  const run = async (base64: string): Promise<Run> => {
    const bytes = decode(base64);
    const start = performance.now();
    const never = new AbortController().signal;
    const { timings } = await engine.anonymiseImage({ ...job, bytes }, () => undefined, never);
    return { timings, totalMs: performance.now() - start };
  };
  const { backend } = await engine.load(job.options.classes, () => undefined, new AbortController().signal);
  await run(warmUp);
  const done: Run[] = [];
  for (let i = 0; i < runs; i += 1) done.push(await run(picture));
  return { backend, done };
};
