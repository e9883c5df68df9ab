import { describe, expect, it } from 'vitest';
import { NO_EDITS } from '#shared/domain/edits/edits';
import type { FramePlan } from '#shared/domain/video-edits';
import { createApiClient } from '#shared/api/client';
import { createApiService, dispatch } from '#shared/api/dispatch';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import type { TaskPorts } from '#shared/tasks/base/task-ports';
import { createTaskService, type TaskService } from '#shared/tasks/service';
import { createFakeEngine } from '#shared/testing/fake-engine';
import { createFakeLog, createFakeSystem } from '#shared/testing/fake-system';
import { createFakeVideoEngine } from '#shared/testing/fake-video-engine';
import { testSettings } from '#shared/testing/in-process-host';
import { createMemoryTaskStore } from '#shared/testing/memory-task-store';
import type { Engine } from '#shared/ports/engine';
import { createStorage } from '../adapters/storage';
import { startLibrary } from '../state/library';
import type { MediaItem } from '../state/media-item';
import { emptyState, reduceApp, type AppEvent, type AppState } from '../state/pictures';
import { defaultSettings } from '../state/settings';
import { createStore, type Store } from '../state/store';
import { contractEdits } from '../state/contract-edits';
import DATA from '../testing/data-of-0.1.json';
import { memoryFolder } from '../testing/memory-folder';
import { createLibraryFiles } from './library-files';

/** A video engine that only collects the frame plans it is given. Other tests cover the rendering of videos. */
const createReadingEngine = (plans: FramePlan[]): Engine => ({
  ...createFakeVideoEngine({ frameCount: 12 }, createFakeEngine()),
  renderVideo: async (_job, { target, plans: read }) => {
    for (let part = 0, found = await read(part); found; part += 1, found = await read(part)) {
      plans.push(...found);
    }
    await target.write(0, new Uint8Array([1]));
    const lost = { lostFrames: 0, reencodedAudioTracks: 0, droppedAudioTracks: 0 };
    return {
      width: 160,
      height: 120,
      frameCount: 12,
      ...lost,
      durationS: 1,
      timings: {},
      followed: [],
      shown: [],
    };
  },
});

const clientOf = (service: TaskService, ports: TaskPorts, settings: ServiceSettings) => {
  const api = createApiService(service, ports, settings);
  return createApiClient<File>(({ body = new Uint8Array(0), ...request }) =>
    dispatch(
      {
        ...request,
        receiveUpload: async () => [],
        receiveBody: async () => body,
        signal: new AbortController().signal,
      },
      api,
    ),
  );
};

/**
 * The current page with the folder that the page of commit `52d6c93` left on disk: an edited photo (one object made
 * visible, one drawn box), an unedited image and an unedited video.
 */
const openPage = async () => {
  const files = Object.entries(DATA).map(
    ([name, base64]) => [name, new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))])] as const,
  );
  const folder = memoryFolder(new Map(files));
  const open = async () => folder;
  const storage = createStorage(createFakeLog(), open);
  const taskStore = createMemoryTaskStore();
  const plans: FramePlan[] = [];
  const ports = {
    engine: createReadingEngine(plans),
    storage,
    taskStore,
    system: createFakeSystem(),
    log: createFakeLog(),
  };
  const settings = testSettings({ maskFiles: 'rendered' });
  const store: Store<AppState, AppEvent> = createStore(reduceApp, emptyState(defaultSettings()));
  const failures: unknown[] = [];
  const library = createLibraryFiles({ open, reopen: open }, { storage, taskStore });
  const lost = await startLibrary(store, library, (cause) => failures.push(cause));
  const item = (name: string): MediaItem => store.get().pictures.find(({ file }) => file.name === name)!;
  return { ports, settings, store, lost, failures, item, plans, folder };
};

describe('the stored folder of a page of version 0.1', () => {
  it('is restored with every file, result and edit', async () => {
    const { store, lost, failures, item, settings, ports } = await openPage();
    expect([lost, failures]).toEqual([[], []]);
    expect(store.get().pictures.map(({ file, status }) => [file.name, status])).toEqual([
      ['scene.jpg', 'done'],
      ['untouched.png', 'done'],
      ['clip.mp4', 'done'],
    ]);
    const { edits, result } = item('scene.jpg');
    expect(edits.present.changes).toEqual({ 0: { isOff: true } });
    expect(edits.present.drawn).toHaveLength(1);
    expect(result?.revisable?.made.edits).toEqual(edits.present);
    expect(item('clip.mp4').result?.video?.frameCount).toBe(12);

    const service = createTaskService(ports, settings);
    for (const name of ['scene.jpg', 'untouched.png']) {
      expect((await service.result(item(name).result!.taskId))?.anonymised).toBe(true);
    }
    expect((await service.videoResult(item('clip.mp4').result!.taskId))?.anonymised).toBe(true);
  });

  it('allows to undo and redo the edits of a photo', async () => {
    const { item, ports, settings } = await openPage();
    const service = createTaskService(ports, settings);
    const client = clientOf(service, ports, settings);
    const { result } = item('scene.jpg');
    const { taskId, revisable } = result!;
    const reported = async () =>
      (await service.result(taskId))?.report.detections.map(({ objectClass }) => objectClass);

    expect(await reported()).toEqual(['license-plate', 'face']);
    const { made } = revisable!;
    await client.putEdits(taskId, contractEdits({ ...made, edits: NO_EDITS }));
    expect(await reported()).toEqual(['face', 'license-plate']);
    await client.putEdits(taskId, contractEdits(made));
    expect(await reported()).toEqual(['license-plate', 'face']);
  });

  it('allows to edit a video by its stored frame plans', async () => {
    const { item, ports, settings, plans } = await openPage();
    const client = clientOf(createTaskService(ports, settings), ports, settings);
    await client.putEdits(item('clip.mp4').result!.taskId, { objects: [{ id: 0, hidden: false }] });
    expect(plans).toHaveLength(12);
    expect(
      plans.every(({ regions }) => regions.every(({ shape, trackId }) => shape && trackId !== undefined)),
    ).toBe(true);
  });
});
