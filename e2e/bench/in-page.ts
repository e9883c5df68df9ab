/** The part of the benchmark that runs inside the page. The development server serves it with the page's modules. */
import { LIMITS } from '#shared/domain/limits';
import type { ImageJob } from '#shared/ports/engine';
import { createWorkerEngine, type WorkerEngine } from '../../web/adapters/engine';
import { log } from '../../web/adapters/log';
import type { Found, Run } from './job';

export interface InPage {
  /** Base64, because arguments are passed to a page as JSON. */
  readonly warmUp: string;
  readonly image: string;
  readonly job: Omit<ImageJob, 'bytes' | 'header' | 'given'>;
  readonly runs: number;
}

const decode = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

const never = new AbortController().signal;

const anonymise = async (engine: WorkerEngine, base64: string, job: InPage['job']) => {
  const bytes = decode(base64);
  const source = { sizeBytes: bytes.byteLength, read: async () => bytes };
  const start = performance.now();
  const header = await engine.inspectImage(source, LIMITS);
  const { timings, report } = await engine.anonymiseImage({ ...job, header, source }, () => undefined, never);
  return { timings, report, totalMs: performance.now() - start };
};

export const runCase = async ({ warmUp, image, job, runs }: InPage) => {
  const engine = createWorkerEngine(log);
  const run = async (base64: string): Promise<Run> => {
    const { timings, totalMs } = await anonymise(engine, base64, job);
    return { timings, totalMs };
  };
  const { backend } = await engine.load(job.options, () => undefined, never);
  await run(warmUp);
  const done: Run[] = [];
  for (let i = 0; i < runs; i += 1) done.push(await run(image));
  return { backend, done };
};

/** What is found in each image. */
export const findObjects = async ({
  images,
  job,
}: Pick<InPage, 'job'> & { readonly images: readonly string[] }) => {
  const engine = createWorkerEngine(log);
  const { backend } = await engine.load(job.options, () => undefined, never);
  const found: Found[] = [];
  for (const image of images) found.push((await anonymise(engine, image, job)).report.detections);
  return { backend, found };
};

/** The graphics card as the browser names it; undefined without one. */
export const describeGpu = async (): Promise<string | undefined> => {
  const { gpu } = navigator as {
    gpu?: { requestAdapter(): Promise<{ info: Record<string, unknown> } | null> };
  };
  const adapter = await gpu?.requestAdapter();
  const names = ['vendor', 'architecture', 'device', 'description'].map((name) => adapter?.info[name]);
  return adapter ? names.filter(Boolean).join(' ') : undefined;
};
