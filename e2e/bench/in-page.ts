/** The part of the benchmark that runs inside the page. The development server serves it with the page's modules. */
import { LIMITS } from '#shared/domain/limits';
import type { ImageJob } from '#shared/ports/engine';
import { createWorkerEngine } from '../../web/adapters/engine';
import { log } from '../../web/adapters/log';
import type { Run } from './job';

export interface InPage {
  /** Base64, because arguments are passed to a page as JSON. */
  readonly warmUp: string;
  readonly image: string;
  readonly job: Omit<ImageJob, 'bytes' | 'header' | 'given'>;
  readonly runs: number;
}

const decode = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

export const runCase = async ({ warmUp, image, job, runs }: InPage) => {
  const engine = createWorkerEngine(log);
  const run = async (base64: string): Promise<Run> => {
    const bytes = decode(base64);
    const source = { sizeBytes: bytes.byteLength, read: async () => bytes };
    const start = performance.now();
    const never = new AbortController().signal;
    const header = await engine.inspectImage(source, LIMITS);
    const { timings } = await engine.anonymiseImage({ ...job, header, source }, () => undefined, never);
    return { timings, totalMs: performance.now() - start };
  };
  const { backend } = await engine.load(job.options, () => undefined, new AbortController().signal);
  await run(warmUp);
  const done: Run[] = [];
  for (let i = 0; i < runs; i += 1) done.push(await run(image));
  return { backend, done };
};
