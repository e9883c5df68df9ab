import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { LIMITS } from '#shared/domain/limits';
import { FAULT } from '#shared/domain/failure';
import type { FramePlan, TimeRange, FrameReport } from '#shared/domain/plan';
import { planSegments } from '#shared/engine/segments/plan-segments';
import type { VideoJob } from '#shared/ports/engine';
import { sourceKey } from '#shared/tasks/files/task-files';
import { FRAMES_PER_FILE, readFrames } from '#shared/tasks/files/video-files';
import { createFakeVideoEngine } from '#shared/testing/fake-video-engine';
import { createFakeLog, createFakeSystem } from '#shared/testing/fake-system';
import { RAMP_MP4 } from '#shared/testing/video-files';
import { taskRecord } from '#shared/testing/task-store-contract';
import { StoreUnavailable, type WorkKind } from '#shared/tasks/base/job-store';
import { createStorage } from '../adapters/storage';
import { timer } from '../adapters/system';
import { createMemoryWorkQueue } from '../testing/memory-work-queue';
import { claimed, openStore, SETTINGS, startServerForFile } from '../testing/services/postgres-stores';
import { temporaryFolder } from '../testing/temporary-folder';
import { coordinate } from './cluster-tasks';
import { resolvedStorage } from './layered-storage';
import { writeSegment } from './run-segment';
import { startWorker } from './worker';

const server = await startServerForFile();

/** 160 seconds: three segments. */
const FRAMES = 4_000;
const SEGMENTS = planSegments(FRAMES * 40_000)!;
const SILENT_MS = 4_000;
const ALL: readonly WorkKind[] = ['images', 'videos', 'segments'];

interface Setup {
  readonly frameCount?: number;
  /** During each analysis. */
  readonly during?: (job: VideoJob, signal: AbortSignal) => Promise<void>;
}

/** A cluster with one waiting video. */
const openCluster = async ({ frameCount = FRAMES, during }: Setup = {}) => {
  const folder = temporaryFolder();
  const files = createStorage({ input: join(folder, 'input'), output: join(folder, 'output') });
  const store = await openStore(await server!.createDatabase(), { silentMs: SILENT_MS });
  const queue = createMemoryWorkQueue();
  const log = createFakeLog();
  const analysed: (TimeRange | undefined)[] = [];
  const rendered = vi.fn();
  const fake = createFakeVideoEngine({ frameCount, ...(during && { during }) });
  const engine: typeof fake = {
    ...fake,
    anonymiseVideo: (job, ...rest) => {
      analysed.push(job.analysis);
      return fake.anonymiseVideo(job, ...rest);
    },
    renderVideo: (...args) => {
      rendered();
      return fake.renderVideo(...args);
    },
  };
  const id = randomUUID();
  const task = taskRecord(id, {
    ...{ kind: 'video', contentType: 'video/mp4' },
    video: { ...videoOptions(), framesDone: 0, framesTotal: null },
  });
  await files.write(sourceKey(id, 'mp4'), RAMP_MP4);
  const job = await store.accept(
    { task, settings: { ...SETTINGS, limits: LIMITS }, isUrgent: false },
    { maxUnfinished: undefined },
  );
  if (typeof job === 'string') throw new Error(`The store says ${job}.`);
  const ports = { store, queue, files, system: createFakeSystem(), log, timer };
  const work = (name: string, take = ALL, own = engine) => {
    const worker = startWorker(
      {
        ...{ ...ports, engine: own, temporaryFolder: temporaryFolder(), dividesVideos: true },
        filesAreAvailable: async () => true,
      },
      { name, slots: 1, take },
    );
    onTestFinished(() => worker.stop(0));
    return worker;
  };
  const end = async () => {
    await vi.waitFor(async () => expect((await store.get(id))?.status).not.toMatch(/queued|processing/), {
      timeout: 60_000,
      interval: 100,
    });
    return (await store.get(id))!;
  };
  const view = resolvedStorage(files, (taskId) => store.folders(taskId));
  const start = () => queue.add([job]);
  return { id, ports, log, store, files, view, engine, analysed, rendered, work, start, end };
};
type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** The result has all frames, in order, and its segments have left nothing. */
const mustBeWhole = async ({ id, view, rendered, analysed }: Cluster): Promise<void> => {
  const frames = await readFrames(view, id, [0, FRAMES - 1]);
  expect(frames?.map(({ index }) => index)).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
  expect(frames?.map(({ timestampUs }) => timestampUs)).toEqual(frames?.map(({ index }) => index * 40_000));
  expect(rendered).toHaveBeenCalledTimes(1);
  for (const { analysed: range } of SEGMENTS) expect(analysed).toContainEqual(range);
};

describe.skipIf(!server)('a long video', () => {
  it('is analysed in segments and rendered once, also by one worker alone', async () => {
    const cluster = await openCluster();
    cluster.work('one', ['videos']);
    await cluster.start();
    const task = await cluster.end();
    expect(task).toMatchObject({ status: 'done', progress: 1, video: { leftOut: { lostFrames: 0 } } });
    await mustBeWhole(cluster);
    expect(cluster.analysed).toHaveLength(SEGMENTS.length);
    expect(await cluster.store.segmentsOf(cluster.id)).toEqual([]);
  });

  it('is analysed by all workers, in parallel', async () => {
    let [running, peak] = [0, 0];
    const cluster = await openCluster({
      during: async () => {
        peak = Math.max(peak, ++running);
        await sleep(1_500);
        running -= 1;
      },
    });
    for (const name of ['one', 'two', 'three']) cluster.work(name);
    await cluster.start();
    expect((await cluster.end()).status).toBe('done');
    await mustBeWhole(cluster);
    expect(peak).toBe(3);
    expect(cluster.analysed).toHaveLength(3);
  });

  it('reports progress while others work on it', async () => {
    const cluster = await openCluster({ during: () => sleep(2_500) });
    cluster.work('one');
    await cluster.start();
    await vi.waitFor(async () => {
      const { progress, video } = (await cluster.store.get(cluster.id))!;
      expect(progress).toBeGreaterThan(0.1);
      expect(progress).toBeLessThan(0.9);
      expect(video).toMatchObject({ framesDone: Math.floor(progress * FRAMES), framesTotal: FRAMES });
    }, 10_000);
  });

  it('repeats only the segment of a worker that died', { tags: ['slow'] }, async () => {
    const cluster = await openCluster({ during: () => sleep(500) });
    let isTaken = false;
    const { store } = cluster;
    const claim = store.claimSegment.bind(store);
    // The first segment goes to a worker that never answers.
    vi.spyOn(store, 'claimSegment').mockImplementation(async (id, name) => {
      if (!isTaken) {
        isTaken = true;
        expect((await claim(id, 'a dead worker'))?.number).toBe(0);
      }
      return claim(id, name);
    });
    cluster.work('one');
    await cluster.start();
    expect((await cluster.end()).status).toBe('done');
    await mustBeWhole(cluster);
    expect(cluster.analysed).toEqual([1, 2, 0].map((number) => SEGMENTS[number]!.analysed));
  });

  it(
    'repeats no finished segment after the death of the worker that had claimed it',
    { tags: ['slow'] },
    async () => {
      const cluster = await openCluster();
      const { store, files, id, engine } = cluster;
      const owner = await claimed(store, id);
      await store.planSegments(owner, SEGMENTS);
      const segment = (await store.claimSegment(id, 'a dead worker'))!;
      const [reports, plans] = [[], []] as [FrameReport[], FramePlan[]];
      const { models } = await engine.anonymiseVideo(
        {
          ...{ ...videoOptions(), options: owner.task.options, limits: LIMITS },
          ...{ framesPerReport: FRAMES_PER_FILE, keepsPlans: true, analysis: segment.segment.analysed },
        },
        {
          source: { sizeBytes: RAMP_MP4.length, read: async () => RAMP_MP4 },
          target: { write: async () => undefined },
          report: async (some, somePlans) => {
            reports.push(...some);
            plans.push(...somePlans);
          },
        },
        () => undefined,
        new AbortController().signal,
      );
      await writeSegment(files, { taskId: id, number: 0, token: segment.token }, { reports, plans, models });
      await store.completeSegment(segment);
      cluster.analysed.length = 0;
      const stop = coordinate({ ...cluster.ports, engine }, undefined, {
        ...{ checkMs: 200, silentMs: SILENT_MS, requeueMs: 500 },
      });
      onTestFinished(stop);
      cluster.work('another');
      expect((await cluster.end()).status).toBe('done');
      expect(cluster.analysed).toEqual([1, 2].map((number) => SEGMENTS[number]!.analysed));
      expect(cluster.rendered).toHaveBeenCalledTimes(1);
    },
  );

  it(
    'repeats no segment whose end the database has stored, although its answer was lost',
    { tags: ['slow'] },
    async () => {
      const cluster = await openCluster();
      const { completeSegment } = cluster.store;
      vi.spyOn(cluster.store, 'completeSegment').mockImplementationOnce(async (claim) => {
        await completeSegment(claim);
        throw new StoreUnavailable('The connection was lost.');
      });
      cluster.work('one', ['videos']);
      await cluster.start();
      await cluster.end();
      await mustBeWhole(cluster);
      expect(cluster.analysed).toHaveLength(SEGMENTS.length);
      expect(cluster.log.causes).toEqual([]);
    },
  );

  it('fails with the failure of a segment', { tags: ['slow'] }, async () => {
    const cluster = await openCluster({
      during: async ({ analysis }) => {
        if (analysis?.fromUs === SEGMENTS[1]!.analysed.fromUs) throw new Error('broken');
      },
    });
    cluster.work('one');
    await cluster.start();
    expect(await cluster.end()).toMatchObject({ status: 'failed', failure: FAULT });
    await expect.poll(() => cluster.files.open(sourceKey(cluster.id, 'mp4'))).toBeUndefined();
  });

  it('is processed as a whole if its segments do not fit together', { tags: ['slow'] }, async () => {
    const cluster = await openCluster();
    let isFirst = true;
    cluster.engine.renderVideo = async () => {
      isFirst = false;
      throw Object.assign(new Error('frame 7 has no plan'), { name: 'PlansDiffer' });
    };
    cluster.work('one');
    await cluster.start();
    expect((await cluster.end()).status).toBe('done');
    expect(isFirst).toBe(false);
    expect(cluster.analysed.at(-1)).toBeUndefined();
    expect(await readFrames(cluster.view, cluster.id, [0, FRAMES - 1])).toHaveLength(FRAMES);
  });

  it('stops on all workers when it is deleted', async () => {
    const stopped: string[] = [];
    const cluster = await openCluster({
      during: (_job, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.push('aborted');
            reject(signal.reason as Error);
          });
        }),
    });
    for (const name of ['one', 'two', 'three']) cluster.work(name);
    await cluster.start();
    await expect.poll(() => cluster.analysed).toHaveLength(3);
    await cluster.store.apply(cluster.id, { type: 'files-deleted' });
    await vi.waitFor(() => expect(stopped).toHaveLength(3), 4_000);
  });
});

describe.skipIf(!server)('a video is processed as a whole if', () => {
  it('it is short', async () => {
    const cluster = await openCluster({ frameCount: 100 });
    cluster.work('one');
    await cluster.start();
    expect((await cluster.end()).status).toBe('done');
    expect(cluster.analysed).toEqual([undefined]);
  });

  it('it has to be converted first', { tags: ['slow'] }, async () => {
    const cluster = await openCluster();
    cluster.engine.surveyVideo = async () => undefined;
    cluster.work('one');
    await cluster.start();
    expect((await cluster.end()).status).toBe('done');
    expect(cluster.analysed).toEqual([undefined]);
  });
});
