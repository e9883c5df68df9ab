import { beforeEach, expect, it, vi } from 'vitest';
import type { ImageJob, ImageResult, Progress } from '#shared/ports/engine';
import type { Engine } from '#shared/ports/host-engine';
import { serve } from '#shared/threads/remote';
import { createWorkerEngine } from './engine';

interface FakeWorker {
  readonly begun: { avoidsGpu: boolean; avoidsOwnModels: boolean }[];
  isEnded: boolean;
  /** Reports progress to the page, also after the models are loaded. */
  report?: Progress;
  /** Bytes of the images that it was given … */
  readonly images: number[];
  /** … and which of them piece by piece. */
  readonly lowMemory: boolean[];
  die(message: string): void;
  loseGpu: () => void;
}

const FACES = { classes: ['face'], qualityPreset: 'balanced' } as const;
const JOB = {
  source: { sizeBytes: 3, read: async () => Uint8Array.of(1, 2, 3) },
} as unknown as Parameters<Engine['anonymiseImage']>[0];
const RESULT = { anonymised: null } as unknown as ImageResult;
const quiet = { info: () => undefined, error: () => undefined };
const never = new AbortController().signal;
let workers: FakeWorker[];
/** Which worker, by number, finishes its images; the ones before wait for their end. */
let finishing: number;
/** How many of the first workers have too little memory, and say so. */
let starving: number;
/** Whether models never get loaded. */
let loading: boolean;

/** A worker's two ends in one process. */
class StandIn extends EventTarget {
  readonly #channel = new MessageChannel();
  readonly #fake: FakeWorker;

  constructor() {
    super();
    const number = workers.length;
    const fake: FakeWorker = {
      begun: [],
      isEnded: false,
      images: [],
      lowMemory: [],
      die: (message) => this.dispatchEvent(Object.assign(new Event('error'), { message })),
      loseGpu: () => undefined,
    };
    const gpuLoss = new Promise<string>((resolve) => (fake.loseGpu = () => resolve('a new driver')));
    workers.push(fake);
    this.#fake = fake;
    this.#channel.port1.onmessage = ({ data }) =>
      this.dispatchEvent(Object.assign(new Event('message'), { data: data as unknown }));
    const served = {
      gpuLoss: () => gpuLoss,
      begin: async (how: FakeWorker['begun'][number]) => void fake.begun.push(how),
      load: (_classes: unknown, onProgress: Progress) => {
        fake.report = onProgress;
        return loading ? new Promise(() => undefined) : { backend: 'fake', ownPacks: [], leftOut: [] };
      },
      anonymiseImage: ({ bytes, lowMemory = false }: ImageJob) => {
        fake.images.push(bytes.length);
        fake.lowMemory.push(lowMemory);
        if (number < starving) throw new Error('Uncaught std::bad_alloc');
        return number >= finishing ? RESULT : new Promise(() => undefined);
      },
    };
    serve(this.#channel.port2, () => served, true);
  }

  postMessage(data: unknown, transfer: never): void {
    this.#channel.port1.postMessage(data, transfer);
  }

  terminate(): void {
    this.#fake.isEnded = true;
    this.#channel.port1.close();
    this.#channel.port2.close();
  }
}

beforeEach(() => {
  workers = [];
  finishing = 0;
  starving = 0;
  loading = false;
  vi.stubGlobal('Worker', StandIn);
  vi.stubGlobal('navigator', {}); // without locks: death is told by an error alone
});

/** Waits until a worker has been given an image. */
const busy = (number: number): Promise<FakeWorker> =>
  vi.waitFor(() => {
    const worker = workers[number];
    if (!worker || worker.images.length === 0) throw new Error('not yet');
    return worker;
  });

it('an image whose worker dies is begun once more, whole, by another', async () => {
  finishing = 1;
  const onRestart = vi.fn();
  const result = createWorkerEngine(quiet, onRestart).anonymiseImage(JOB, () => undefined, never);
  (await busy(0)).die('out of memory');
  await expect(result).resolves.toEqual(RESULT);
  expect(workers.map(({ images }) => images)).toEqual([[3], [3]]);
  expect(onRestart).toHaveBeenCalledOnce();
});

it('an image for which the memory of two workers does not suffice fails with a sentence, and the next one is processed', async () => {
  finishing = 2;
  const engine = createWorkerEngine(quiet);
  const result = engine.anonymiseImage(JOB, () => undefined, never);
  const refused = expect(result).rejects.toMatchObject({
    name: 'UnreadableFile',
    message: expect.stringContaining('more memory than this tab can use'),
  });
  (await busy(0)).die('out of memory');
  (await busy(1)).die('out of memory');
  await refused;
  await expect(engine.anonymiseImage(JOB, () => undefined, never)).resolves.toEqual(RESULT);
});

it('an image for which the memory does not suffice is searched piece by piece in fresh memory, others as always', async () => {
  starving = 1;
  const engine = createWorkerEngine(quiet);
  await expect(engine.anonymiseImage(JOB, () => undefined, never)).resolves.toEqual(RESULT);
  await engine.anonymiseImage(JOB, () => undefined, never);
  expect(workers.map(({ lowMemory }) => lowMemory)).toEqual([[false], [true, false]]);
});

it('an image that has too little memory piece by piece too gives a sentence and no result', async () => {
  starving = 2;
  const result = createWorkerEngine(quiet).anonymiseImage(JOB, () => undefined, never);
  await expect(result).rejects.toMatchObject({
    name: 'UnreadableFile',
    message: expect.stringContaining('more memory than this tab can use'),
  });
  expect(workers.map(({ lowMemory }) => lowMemory)).toEqual([[false], [true]]);
});

it('an image that takes down two workers for another reason is a fault, and its cause stays', async () => {
  finishing = 2;
  const result = createWorkerEngine(quiet).anonymiseImage(JOB, () => undefined, never);
  const refused = expect(result).rejects.toThrow('stopped: unreachable');
  (await busy(0)).die('unreachable');
  (await busy(1)).die('unreachable');
  await refused;
});

it('a worker whose GPU went away is followed by one that uses none', async () => {
  finishing = 1;
  const result = createWorkerEngine(quiet).anonymiseImage(JOB, () => undefined, never);
  (await busy(0)).loseGpu();
  await result;
  expect(workers.map(({ begun }) => begun[0]?.avoidsGpu)).toEqual([false, true]);
});

it('any other death does not keep the next worker from the GPU', async () => {
  finishing = 1;
  const result = createWorkerEngine(quiet).anonymiseImage(JOB, () => undefined, never);
  (await busy(0)).die('out of memory');
  await result;
  expect(workers[1]?.begun[0]?.avoidsGpu).toBe(false);
});

it('a worker that ends without an error counts as one without memory: its image is searched piece by piece', async () => {
  finishing = 1;
  const ends: (() => void)[] = [];
  const request = (_name: string, onEnd: () => void): Promise<void> =>
    new Promise((resolve) => ends.push(() => resolve(onEnd())));
  vi.stubGlobal('navigator', { locks: { request } });
  const result = createWorkerEngine(quiet).anonymiseImage(JOB, () => undefined, never);
  await busy(0);
  await vi.waitFor(() => expect(ends).toHaveLength(1));
  ends[0]!();
  await expect(result).resolves.toEqual(RESULT);
  expect(workers.map(({ lowMemory }) => lowMemory)).toEqual([[false], [true]]);
});

it('an image that was given up is not begun again', async () => {
  finishing = 1;
  const stop = new AbortController();
  const result = createWorkerEngine(quiet).anonymiseImage(JOB, () => undefined, stop.signal);
  const worker = await busy(0);
  stop.abort(new Error('removed'));
  await expect(result).rejects.toThrow('removed');
  worker.die('out of memory');
  expect(workers).toHaveLength(1);
});

it('a worker that dies while it loads models is followed by one without those that the user added', async () => {
  loading = true;
  const engine = createWorkerEngine(quiet);
  const failed = expect(engine.load(FACES, () => undefined, never)).rejects.toThrow('stopped');
  await vi.waitFor(() => expect(workers[0]?.begun).toHaveLength(1));
  workers[0]?.die('unreachable');
  await failed;
  loading = false;
  await engine.load(FACES, () => undefined, never);
  expect(workers.map(({ begun }) => begun[0]?.avoidsOwnModels)).toEqual([false, true]);
});

it('other models are used by another worker, while the one before ends what it was asked', async () => {
  finishing = 1;
  const onRestart = vi.fn();
  const engine = createWorkerEngine(quiet, onRestart);
  const first = expect(engine.anonymiseImage(JOB, () => undefined, never)).rejects.toThrow('stopped');
  const before = await busy(0);
  engine.renew();
  await expect(engine.renderMask({} as never, 'binary', 100, never)).rejects.toThrow(); // the stand-in has none
  expect(workers).toHaveLength(2);
  expect(before.isEnded).toBe(false);
  finishing = 3;
  before.die('unreachable');
  await vi.waitFor(() => expect(workers[1]?.images).toHaveLength(1));
  expect(onRestart).not.toHaveBeenCalled();
  workers[1]?.die('unreachable');
  await first;
});

it('a worker that is replaced while it has nothing to do ends at once', async () => {
  const engine = createWorkerEngine(quiet);
  await engine.load(FACES, () => undefined, never);
  engine.renew();
  await vi.waitFor(() => expect(workers[0]?.isEnded).toBe(true));
});

it('reports no progress of models that are already loaded', async () => {
  const shares: number[] = [];
  await createWorkerEngine(quiet).load(FACES, (share) => shares.push(share), never);
  workers[0]!.report!(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(shares).toEqual([]);
});
