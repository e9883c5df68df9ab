import { imageHeader } from '#shared/testing/sniffed-files';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import { UnreadableFile } from '#shared/domain/failure';
import type { ImageJob, RenderFiles, RenderJob, VideoFiles, VideoJob } from '#shared/ports/engine';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { createPoolEngine, type PoolEngine } from './engine';
import { BEHAVIOURS, type Behaviour } from '../testing/stub-engine';

const FACES = defaultImageOptions({ classes: ['face'] });
const job = (behaviour: Behaviour, sizeBytes = 8): ImageJob => ({
  bytes: new Uint8Array(sizeBytes).fill(BEHAVIOURS.indexOf(behaviour)),
  options: FACES,
  header: imageHeader(),
  encoding: { format: 'jpeg', quality: 90 },
  masks: [],
});
const NEVER = new AbortController().signal;
const ignore = (): void => undefined;

let engine: PoolEngine;
const openEngine = (): PoolEngine =>
  createPoolEngine({
    workerFile: join(import.meta.dirname, '../testing/stub-engine-worker.mjs'),
    workers: 2,
    workerData: {
      modelsFolder: '',
      packsFolder: '',
      threads: 1,
      video: 'package',
      ffmpeg: undefined,
      log: { logLevel: 'info', logFormat: 'json' },
    },
  });
beforeAll(() => {
  engine = openEngine();
});
afterAll(() => engine.close());

/** Starts a job that ends only when it is stopped, and waits until it runs. */
const startEndless = async (abort: AbortController): Promise<{ readonly outcome: Promise<unknown> }> => {
  let outcome: Promise<unknown> = Promise.resolve();
  await new Promise<void>((running) => {
    outcome = engine.anonymiseImage(job('run for ever'), () => running(), abort.signal);
    outcome.catch(ignore);
  });
  return { outcome };
};

describe('an engine in a pool of threads', () => {
  it('gives what the worker gives', async () => {
    const { anonymised } = await engine.anonymiseImage(job('finish'), ignore, NEVER);
    expect(anonymised).toEqual(job('finish').bytes);
    expect(await engine.load(FACES, ignore, NEVER)).toEqual({ backend: 'stub' });
    const { plan } = await engine.anonymiseImage(job('finish'), ignore, NEVER);
    expect(await engine.renderMask(plan, 'binary', 40, NEVER)).toEqual(new Uint8Array([40]));
    const encoding = { format: 'png', compressLevel: 5 } as const;
    const bytes = new Uint8Array([7, 8]);
    expect(await engine.renderImage({ bytes, plan, encoding, header: imageHeader() }, NEVER)).toEqual(
      new Uint8Array([7, 8]),
    );
  });

  it('takes the image over instead of copying it', async () => {
    const work = job('finish');
    await engine.anonymiseImage(work, ignore, NEVER);
    expect(work.bytes.byteLength).toBe(0);
  });

  it('leaves alone what lies next to the image in a larger buffer', async () => {
    const buffer = new Uint8Array(100).fill(BEHAVIOURS.indexOf('finish'));
    await engine.anonymiseImage({ ...job('finish'), bytes: buffer.subarray(10, 20) }, ignore, NEVER);
    expect(buffer.byteLength).toBe(100);
  });

  it('reports progress while it works', async () => {
    const abort = new AbortController();
    const share = await new Promise((resolve) => {
      engine.anonymiseImage(job('run for ever'), resolve, abort.signal).catch(ignore);
    });
    expect(share).toBe(0.25);
    abort.abort();
  });

  it('loads in every thread, and its progress never goes back', async () => {
    const shares: number[] = [];
    await engine.load(FACES, (share) => shares.push(share), NEVER);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it('works on as many images as it has threads', async () => {
    const aborts = [new AbortController(), new AbortController()];
    const endless = await Promise.all(aborts.map(startEndless));
    aborts.forEach((abort) => abort.abort(new Error('enough')));
    for (const { outcome } of endless) await expect(outcome).rejects.toThrow('enough');
  });

  it('renders a result while all threads are at work', async () => {
    const { plan } = await engine.anonymiseImage(job('finish'), ignore, NEVER);
    const aborts = [new AbortController(), new AbortController()];
    await Promise.all(aborts.map(startEndless));
    expect(await engine.renderMask(plan, 'instance', 5, NEVER)).toEqual(new Uint8Array([5]));
    aborts.forEach((abort) => abort.abort());
  });

  it('says in the file’s own sentence why it cannot be read', async () => {
    await expect(engine.anonymiseImage(job('be unreadable'), ignore, NEVER)).rejects.toMatchObject({
      name: 'UnreadableFile',
      publicSentence: 'The image is blank.',
    });
  });

  it('makes masks of objects that are added later', async () => {
    const objects = [3, 0].map((x1) => ({
      objectClass: 'person' as const,
      score: 1,
      box: { x1, y1: 0, x2: 9, y2: 9 },
    }));
    const shapes = await engine.outlineObjects(new Uint8Array(8), objects, imageHeader(), NEVER);
    expect(shapes).toEqual([{ kind: 'box', box: objects[0]!.box }, null]);
  });

  it('takes no videos where nothing decodes them, and converts none without ffmpeg', () => {
    expect(engine).toMatchObject({ takesVideo: true, convertsVideo: false });
  });

  it('passes a fault of ours on as it is', async () => {
    await expect(engine.anonymiseImage(job('throw'), ignore, NEVER)).rejects.toThrow('a fault of ours');
  });
});

it('a rendering that is aborted rejects at once, and the next one is rendered', async () => {
  const { plan } = await engine.anonymiseImage(job('finish'), ignore, NEVER);
  const abort = new AbortController();
  const rendering = engine.renderMask(plan, 'binary', 100, abort.signal);
  abort.abort(new Error('the client has left'));
  await expect(rendering).rejects.toThrow('the client has left');
  expect(await engine.renderMask(plan, 'binary', 7, NEVER)).toEqual(new Uint8Array([7]));
});

describe('an aborted image', () => {
  it('rejects with the reason, and the pool keeps working', async () => {
    const abort = new AbortController();
    const { outcome } = await startEndless(abort);
    abort.abort(new Error('deleted'));
    await expect(outcome).rejects.toThrow('deleted');
    for (let i = 0; i < 4; i++) await engine.anonymiseImage(job('finish'), ignore, NEVER);
  });

  it('never starts where it was aborted before', async () => {
    const abort = new AbortController();
    abort.abort(new Error('too late'));
    await expect(engine.anonymiseImage(job('finish'), ignore, abort.signal)).rejects.toThrow('too late');
  });

  it('is not worked on where it was still waiting, and the others keep their place', async () => {
    const running = [new AbortController(), new AbortController()];
    await Promise.all(running.map(startEndless));
    const waiting = new AbortController();
    const given = engine.anonymiseImage(job('run for ever'), ignore, waiting.signal);
    const next = engine.anonymiseImage(job('finish'), ignore, NEVER);
    waiting.abort(new Error('left'));
    running.forEach((abort) => abort.abort());
    await expect(given).rejects.toThrow('left');
    expect((await next).anonymised).not.toBeNull();
  });
});

it('a thread that dies fails its own image only', async () => {
  const abort = new AbortController();
  const neighbour = await startEndless(abort);
  await expect(engine.anonymiseImage(job('die'), ignore, NEVER)).rejects.toThrow(
    'worker exited with code: 3',
  );
  await engine.anonymiseImage(job('finish'), ignore, NEVER);
  abort.abort(new Error('still ran'));
  await expect(neighbour.outcome).rejects.toThrow('still ran');
});

it('an engine that is closed stops what it is at', async () => {
  const closing = openEngine();
  let outcome: Promise<unknown> = Promise.resolve();
  await new Promise((running) => {
    outcome = closing.anonymiseImage(job('run for ever'), running, NEVER);
    outcome.catch(ignore);
  });
  await closing.close();
  await expect(outcome).rejects.toThrow('The server is stopping.');
});

describe('a video in a thread', () => {
  const videoJob = (framesPerReport: number): VideoJob => ({
    options: job('finish').options,
    ...videoOptions(),
    limits: LIMITS,
    framesPerReport,
  });
  /** Files whose every call is noted. */
  const notedFiles = (changes: Partial<VideoFiles> = {}) => {
    const calls: unknown[] = [];
    const files: VideoFiles = {
      source: {
        sizeBytes: 5,
        read: async (start, end) => Uint8Array.from({ length: end - start }, (_, i) => start + i),
      },
      target: { write: async (position, bytes) => void calls.push([position, ...bytes]) },
      report: async (frames) => void calls.push(frames),
      ...changes,
    };
    return { files, calls };
  };

  it('is read and written where its files are, not in the thread', async () => {
    const { files, calls } = notedFiles();
    const progress: unknown[] = [];
    const { frameCount } = await engine.anonymiseVideo(
      videoJob(2),
      files,
      (one) => progress.push(one),
      NEVER,
    );
    expect(frameCount).toBe(4);
    expect(calls).toEqual([[2, 1, 2, 3, 4], []]);
    expect(progress).toEqual([{ framesDone: 1, framesTotal: 2 }]);
  });

  it('fails with the error of the disk, as it was thrown', async () => {
    const full = new StorageUnavailable('full', new Error('ENOSPC'));
    const { files } = notedFiles({ target: { write: () => Promise.reject(full) } });
    await expect(engine.anonymiseVideo(videoJob(2), files, ignore, NEVER)).rejects.toBe(full);
  });

  it('is called unreadable where it is', async () => {
    const running = engine.anonymiseVideo(videoJob(1), notedFiles().files, ignore, NEVER);
    await expect(running).rejects.toThrow(new UnreadableFile('The video is blank.'));
  });

  it('stops when it is called off', async () => {
    const abort = new AbortController();
    const running = engine.anonymiseVideo(
      videoJob(0),
      notedFiles().files,
      () => abort.abort(new Error('deleted')),
      abort.signal,
    );
    await expect(running).rejects.toThrow('deleted');
  });
});

describe('a video that is rendered again in a thread', () => {
  const renderJob: RenderJob = {
    options: job('finish').options,
    keepBitRate: false,
    audio: 'keep',
    limits: LIMITS,
    edits: {},
  };
  const filesWith = (frames: number | undefined) => {
    const written: unknown[] = [];
    const files: RenderFiles = {
      source: { sizeBytes: 5, read: async (start, end) => new Uint8Array(end - start).fill(9) },
      target: { write: async (position, bytes) => void written.push([position, ...bytes]) },
      plans: async () =>
        frames === undefined
          ? undefined
          : Array.from({ length: frames }, (_, index) => ({ index, timestampUs: 0, regions: [] })),
    };
    return { files, written };
  };

  it('gets its plans and its bytes from where they are', async () => {
    const { files, written } = filesWith(3);
    const result = await engine.renderVideo(renderJob, files, ignore, NEVER);
    expect(result).toMatchObject({ followed: [], shown: [] });
    expect(written).toEqual([[3, 9]]);
  });

  it('fails with the error of the disk, as it was thrown', async () => {
    const lost = new StorageUnavailable('read-only', new Error('EROFS'));
    const files = { ...filesWith(3).files, plans: () => Promise.reject(lost) };
    await expect(engine.renderVideo(renderJob, files, ignore, NEVER)).rejects.toBe(lost);
  });

  it('stops when it is called off', async () => {
    const abort = new AbortController();
    const onProgress = (): void => abort.abort(new Error('other edits'));
    const { files } = filesWith(undefined);
    await expect(engine.renderVideo(renderJob, files, onProgress, abort.signal)).rejects.toThrow(
      'other edits',
    );
  });
});
