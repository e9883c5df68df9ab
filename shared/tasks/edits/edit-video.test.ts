import { describe, expect, it } from 'vitest';
import type { FramePlan, VideoEdits } from '../../domain/video-edits';
import { defaultImageOptions } from '../../domain/options';
import type { Engine } from '../../ports/engine';
import { createFakeVideoEngine } from '../../testing/fake-video-engine';
import { createFakeLog, createFakeSystem } from '../../testing/fake-system';
import { testSettings } from '../../testing/in-process-host';
import { createMemoryStorage, receivedInMemory } from '../../testing/memory-storage';
import { createMemoryTaskStore } from '../../testing/memory-task-store';
import { RAMP_MP4 } from '../../testing/video-files';
import { createVideoEditor } from './edit-video';
import { createTaskService } from '../service';
import { anonymisedVideoKey } from '../files/video-files';

const FRAMES = 700;
/** Of the fake engine's object. */
const TRACK = 7;
const NEW_FILE = new Uint8Array([1, 2, 3]);
const NO_EDITS: VideoEdits = { visibleTracks: [], drawn: [] };
const never = (): AbortSignal => new AbortController().signal;

type Render = Engine['renderVideo'];
const VIDEO = {
  width: 64,
  height: 48,
  frameCount: FRAMES,
  lostFrames: 0,
  durationS: 1,
  timings: {},
} as const;
const writes: Render = async ({ edits }, { target }) => {
  await target.write(0, NEW_FILE);
  const followed = [{ id: 1, fromUs: 0, seenUntilUs: 40_000, untilUs: 80_000 }];
  const shown = edits.visibleTracks.map((trackId) => ({ trackId, firstFrame: 0, lastFrame: 660 }));
  return { ...VIDEO, reencodedAudioTracks: 0, droppedAudioTracks: 0, followed, shown };
};

/** Hands over a plan for each frame, as the chain does where it is asked to. */
const withPlans = (engine: Engine): Engine => ({
  ...engine,
  anonymiseVideo: (job, files, ...rest) =>
    engine.anonymiseVideo(
      job,
      {
        ...files,
        report: (frames) =>
          files.report(
            frames,
            job.keepsPlans
              ? frames.map(({ index, timestampUs }) => ({ index, timestampUs, regions: [] }))
              : [],
          ),
      },
      ...rest,
    ),
});

const startDone = async (renderVideo: Render = writes, keepsVideoPlans = true) => {
  const storage = createMemoryStorage();
  const ports = {
    engine: { ...withPlans(createFakeVideoEngine({ frameCount: FRAMES })), renderVideo },
    storage,
    taskStore: createMemoryTaskStore(),
    system: createFakeSystem(),
    log: createFakeLog(),
  };
  const settings = testSettings({ keepsVideoPlans });
  const service = createTaskService(ports, settings);
  const { task, outcome } = await service.submit({
    file: receivedInMemory(RAMP_MP4, storage),
    filename: 'a.mp4',
    format: 'mp4',
    options: defaultImageOptions({ method: 'blacken' }),
    video: { tracking: true, keepBitRate: true },
    webhook: null,
  });
  await outcome;
  const { applyEdits } = createVideoEditor(ports, settings);
  const { id } = task;
  return {
    ...ports,
    service,
    id,
    applyEdits: (edits = NO_EDITS, signal = never()) => applyEdits(id, edits, () => undefined, signal),
    file: () => storage.read(anonymisedVideoKey(id)),
    firstDetection: async (frame: number) => (await service.frames(id, frame, frame))?.[0]?.detections[0],
  };
};

describe('a video that a person revises', () => {
  it('gets a new file, rendered as it was at first, by the plans of all frames', async () => {
    let job: Parameters<Render>[0] | undefined;
    const plans: FramePlan[] = [];
    const { applyEdits, file, service, id } = await startDone(async (given, files, ...rest) => {
      job = given;
      for (let part = 0, some; (some = await files.plans(part)); part++) plans.push(...some);
      return writes(given, files, ...rest);
    });
    const before = await file();
    expect(await applyEdits()).toMatchObject([{ id: 1, untilUs: 80_000 }]);
    expect(job).toMatchObject({ keepBitRate: true, options: { method: 'blacken' } });
    expect(plans.map(({ index }) => index)).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
    expect(before).not.toEqual(NEW_FILE);
    expect(await file()).toEqual(NEW_FILE);
    expect((await service.videoResult(id))?.revision).toBe(1);
  });

  it('is reported as it is: what is to be seen is not anonymised, until that is taken back', async () => {
    const { applyEdits, firstDetection } = await startDone();
    await applyEdits({ visibleTracks: [TRACK], drawn: [] });
    expect(await firstDetection(650)).toMatchObject({ trackId: TRACK, isAnonymised: false });
    expect(await firstDetection(661)).toMatchObject({ trackId: TRACK, isAnonymised: true });
    await applyEdits();
    expect(await firstDetection(650)).toMatchObject({ isAnonymised: true });
  });

  it('stays as it is where rendering fails or is called off', async () => {
    const fault = new Error('a fault');
    const failed = await startDone(async (_job, { target }) => {
      await target.write(0, NEW_FILE);
      throw fault;
    });
    const before = await failed.file();
    await expect(failed.applyEdits({ visibleTracks: [TRACK], drawn: [] })).rejects.toBe(fault);
    expect(await failed.file()).toEqual(before);
    expect(await failed.firstDetection(0)).toMatchObject({ isAnonymised: true });

    const abort = new AbortController();
    const stopped = await startDone((...args) => {
      abort.abort(new Error('stopped'));
      return writes(...args);
    });
    await expect(stopped.applyEdits(NO_EDITS, abort.signal)).rejects.toThrow('stopped');
    expect(await stopped.file()).toEqual(before);
  });

  it('leaves no file where its task is deleted meanwhile', async () => {
    let remove = async (): Promise<unknown> => undefined;
    const { applyEdits, service, id, storage } = await startDone(async (...args) => {
      await remove();
      return writes(...args);
    });
    remove = () => service.delete(id, 'task-and-files');
    expect(await applyEdits()).toBeUndefined();
    expect(storage.keys()).toEqual([]);
  });

  it('keeps plans only where a host wants them, and they go with the task', async () => {
    const isPlan = (key: string): boolean => key.includes('plans-');
    const { storage, service, id } = await startDone();
    expect(storage.keys().filter(isPlan)).toHaveLength(2);
    await service.delete(id, 'only-files');
    expect(storage.keys()).toEqual([]);
    expect((await startDone(writes, false)).storage.keys().filter(isPlan)).toEqual([]);
  });
});
