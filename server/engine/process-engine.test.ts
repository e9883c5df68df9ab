import { imageHeader } from '#shared/testing/sniffed-files';
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import type { VideoFiles } from '#shared/ports/engine';
import type { Engine } from '#shared/ports/host-engine';
import { jpegFile } from '#shared/testing/image-bytes';
import { createFakeLog } from '#shared/testing/fake-system';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { diskSource } from '../adapters/disk-file';
import { buildServer, PRODUCT_MODELS } from '../testing/built-program';
import { BEHAVIOURS, type Behaviour } from '../testing/stub-engine';
import { temporaryFolder } from '../testing/temporary-folder';
import { createEngineProcess, ENGINE_INTERVALS, type EngineIntervals } from './engine-process';
import { EngineLost, createProcessEngine, collectFiles } from './process-engine';
import type { EngineProcessOptions } from './served-process';

it('pieces become one file', async () => {
  const files = collectFiles(['a', 'b']);
  await files.write('a', 0, Uint8Array.of(1, 2));
  await files.write('b', 0, Uint8Array.of(9));
  await files.write('a', 2, Uint8Array.of(3));
  expect([...files.get('a')]).toEqual([1, 2, 3]);
  expect([...files.get('b')]).toEqual([9]);
});

it('a file that was not asked for, a gap and other data than bytes are refused', async () => {
  const files = collectFiles(['a']);
  const refused = 'not asked for';
  await expect(files.write('b', 0, Uint8Array.of(1))).rejects.toThrow(refused);
  await expect(files.write('a', 1, Uint8Array.of(1))).rejects.toThrow(refused);
  await expect(files.write('a', 0, 'text' as never)).rejects.toThrow(refused);
  expect(files.find('a')).toBeUndefined();
  expect(() => files.get('a')).toThrow('has not written');
});

const NEVER = new AbortController().signal;
const ignore = (): void => undefined;

/** Folder of the built server: TypeScript would take a second of each of its processes. */
let built: string;
beforeAll(async () => {
  built = await buildServer('veil-stub', PRODUCT_MODELS, 'with-programs');
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const OPTIONS: Omit<EngineProcessOptions, 'workerFile'> = {
  ...{ modelsFolder: '', packsFolder: '', threads: 1, workers: 2, startsLate: true },
  ffmpeg: undefined,
  log: { logLevel: 'silent', logFormat: 'json' },
};

const spawnStub = (): ChildProcess =>
  spawn(process.execPath, [join(built, 'dist/server/engine/engine-main.js')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    detached: true,
  });

const sourceOf = (behaviour: Behaviour) => {
  const bytes = new Uint8Array(8).fill(BEHAVIOURS.indexOf(behaviour));
  return { sizeBytes: bytes.byteLength, read: async (start: number, end: number) => bytes.slice(start, end) };
};

const jobOf = (source: Parameters<Engine['anonymiseImage']>[0]['source']) => ({
  source,
  options: defaultImageOptions({ classes: ['face'] }),
  header: imageHeader(),
  encoding: { format: 'jpeg', quality: 90 } as const,
  masks: [],
});

const openEngine = (
  options: Partial<EngineProcessOptions> = {},
  intervals: Partial<EngineIntervals> = {},
) => {
  const log = createFakeLog();
  const spawned: ChildProcess[] = [];
  const spawn = (): ChildProcess => {
    const child = spawnStub();
    spawned.push(child);
    return child;
  };
  const host = createEngineProcess(
    { ...OPTIONS, workerFile: join(built, 'dist/server/stub-engine.js'), ...options },
    { spawn, log },
    {
      ...ENGINE_INTERVALS,
      restartMs: 0,
      ...intervals,
    },
  );
  onTestFinished(host.close);
  const support = { takesVideo: true, convertsVideo: false };
  const engine = createProcessEngine(host.call, host.call, support);
  /** Starts a piece of work. Resolves when it runs. */
  const begin = async (behaviour: Behaviour, signal = NEVER) => {
    let outcome: Promise<unknown> = Promise.resolve();
    await new Promise<void>((running) => {
      outcome = engine.anonymiseImage(jobOf(sourceOf(behaviour)), () => running(), signal);
      outcome.catch(ignore);
    });
    return { outcome };
  };
  return { host, engine, log, begin, spawned };
};

describe('an engine in a process of its own', () => {
  it('reads an image from its path, and gives its result', async () => {
    const { engine } = openEngine();
    const path = join(temporaryFolder(), 'a.jpg');
    const bytes = new Uint8Array(3_000_000); // several pieces
    bytes.set([1, 2, 3], bytes.length - 3);
    writeFileSync(path, bytes);
    const source = {
      ...diskSource(path, bytes.length),
      read: () => Promise.reject(new Error('read by the host')),
    };
    const { anonymised } = await engine.anonymiseImage(jobOf(source), ignore, NEVER);
    expect(anonymised?.byteLength).toBe(bytes.length);
    expect([...anonymised!.subarray(-3)]).toEqual([1, 2, 3]);
  });

  it('reads a file without a path through its host', async () => {
    const { engine } = openEngine();
    const { anonymised } = await engine.anonymiseImage(jobOf(sourceOf('finish')), ignore, NEVER);
    expect(anonymised).toEqual(Buffer.alloc(8));
  });

  it('inspects an upload', async () => {
    const { engine } = openEngine();
    const bytes = jpegFile(64, 48);
    const source = { sizeBytes: bytes.byteLength, read: async () => bytes };
    expect(await engine.inspectImage(source, LIMITS)).toMatchObject({
      format: 'jpeg',
      width: 64,
      height: 48,
    });
  });

  it('gives the sentence of an unreadable file', async () => {
    const { engine } = openEngine();
    await expect(
      engine.anonymiseImage(jobOf(sourceOf('be unreadable')), ignore, NEVER),
    ).rejects.toMatchObject({
      name: 'UnreadableFile',
      publicSentence: 'The image is blank.',
    });
  });

  it('gives the reason of the system why a file cannot be read', async () => {
    const { engine } = openEngine();
    const source = diskSource('/no-such-file', 8);
    await expect(engine.anonymiseImage(jobOf(source), ignore, NEVER)).rejects.toMatchObject({
      code: 'ENOENT',
      syscall: 'open',
    });
  });

  it('leaves the writing of videos to its host, whose errors stay what they are', async () => {
    const { engine } = openEngine();
    const full = new StorageUnavailable('full', new Error('ENOSPC'));
    const files: VideoFiles = {
      source: sourceOf('finish'),
      target: { write: () => Promise.reject(full) },
      report: async () => undefined,
    };
    const { options } = jobOf(sourceOf('finish'));
    const job = { ...videoOptions(), options, limits: LIMITS, framesPerReport: 2 };
    await expect(engine.anonymiseVideo(job, files, ignore, NEVER)).rejects.toBe(full);
  });

  it('stops what is aborted', async () => {
    const { begin } = openEngine();
    const abort = new AbortController();
    const { outcome } = await begin('run for ever', abort.signal);
    abort.abort(new Error('deleted'));
    await expect(outcome).rejects.toThrow('deleted');
  });
});

describe('an engine process that ends', () => {
  it('fails its calls, and the next process takes the next ones', async () => {
    const { engine, begin, log, spawned } = openEngine();
    const { outcome } = await begin('run for ever');
    spawned[0]!.kill('SIGKILL');
    await expect(outcome).rejects.toThrow(EngineLost);
    await engine.anonymiseImage(jobOf(sourceOf('finish')), ignore, NEVER);
    expect(log.causes).toEqual([new Error('SIGKILL')]);
  });

  it('costs other work nothing, and fails only the file that ends it', async () => {
    const { engine } = openEngine();
    const run = (behaviour: Behaviour) =>
      engine.retrying(() => engine.anonymiseImage(jobOf(sourceOf(behaviour)), ignore, NEVER), NEVER);
    const bad = run('end the process');
    bad.catch(ignore);
    const good = Array.from({ length: 4 }, () => run('finish'));
    for (const each of good) expect((await each).anonymised).not.toBeNull();
    await expect(bad).rejects.toMatchObject({ failure: { kind: 'interrupted' } });
  });

  it('ends with its host', async () => {
    const { host, spawned } = openEngine();
    await host.start();
    const ended = new Promise((resolve) => spawned[0]!.once('exit', resolve));
    spawned[0]!.disconnect(); // as when the host dies
    await ended;
  });
});

describe('an engine process that hangs', () => {
  it('ends if aborted work does not stop, and only that work is blamed', async () => {
    const { engine, begin } = openEngine({ abortLimitMs: 100 });
    const abort = new AbortController();
    const { outcome } = await begin('heed nothing', abort.signal);
    let runs = 0;
    const other = engine.retrying(() => {
      runs += 1;
      return engine.anonymiseImage(jobOf(sourceOf(runs === 1 ? 'run for ever' : 'finish')), ignore, NEVER);
    }, NEVER);
    abort.abort(new Error('deleted'));
    await expect(outcome).rejects.toThrow('deleted');
    expect((await other).anonymised).not.toBeNull();
    expect(runs).toBe(2);
  });

  it('counts as not answering, and is ended', async () => {
    const { host, engine, begin, spawned } = openEngine({}, { pingMs: 20, silentPings: 10, deadPings: 500 });
    const { outcome } = await begin('run for ever');
    process.kill(spawned[0]!.pid!, 'SIGSTOP');
    await expect.poll(host.isAnswering).toBe(false);
    await expect(outcome).rejects.toThrow(EngineLost);
    await engine.anonymiseImage(jobOf(sourceOf('finish')), ignore, NEVER);
    expect(host.isAnswering()).toBe(true);
  });
});
