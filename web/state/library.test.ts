import { describe, expect, it, vi } from 'vitest';
import { addFiles, detectionsOf, placeOf, rememberPath } from './add-files';
import { hasUnstored, startLibrary, type LibraryFiles } from './library';
import type { MediaResult } from './media-item';
import { emptyState, reduceApp, type AppEvent, type AppState } from './app-reducer';
import { defaultSettings } from './settings';
import { createStore, type Store } from './store';
import { NO_ITEM_EDITS } from './edit-history';
import { withDrawn } from './video-edits';

type AppStore = Store<AppState, AppEvent>;

const RESULT: MediaResult = {
  taskId: 'task-a',
  width: 4,
  height: 2,
  objects: [{ id: 1, objectClass: 'face', score: 0.9, x: 0, y: 0, width: 1, height: 1 }],
  durationS: 0.1,
  hasImage: true,
};
const NO_LOSSES = {
  frameCount: 9,
  framesLost: 0,
  isLossUncertain: false,
  audioTracksReencoded: 0,
  audioTracksDropped: 0,
};
const noFailure = (cause: unknown): never => {
  throw cause;
};

/** A disk that stays when the page is loaded again. @param whole tasks whose results are complete on it */
const disk = (whole: readonly string[] = []) => {
  const originals = new Map<string, File>();
  let records: string | undefined;
  const files = {
    readRecords: async () => records,
    writeRecords: async (text) => void (records = text ?? undefined),
    original: async (id) => originals.get(id),
    storeOriginal: async (id, file, signal) => {
      signal.throwIfAborted();
      if (file.name.startsWith('huge')) return false;
      originals.set(id, file);
      return true;
    },
    removeOriginal: async (id) => void originals.delete(id),
    restoreResults: async (items) => {
      const ids = items.map(({ id }) => id);
      for (const id of originals.keys()) if (!ids.includes(id)) originals.delete(id);
      return new Set(whole);
    },
  } satisfies LibraryFiles;
  return { files, originals, records: () => records };
};

const open = async (files: LibraryFiles): Promise<{ store: AppStore; lost: readonly string[] }> => {
  const store: AppStore = createStore(reduceApp, emptyState(defaultSettings()));
  return { store, lost: await startLibrary(store, files, noFailure) };
};

const add = (store: AppStore, ...names: readonly string[]): void =>
  store.send({
    type: 'added',
    files: names.map((name) => ({ id: name, file: new File([name], `${name}.jpg`, { type: 'image/jpeg' }) })),
  });
const finish = (store: AppStore, id: string, result = RESULT): void => {
  store.send({ type: 'started', id });
  store.send({ type: 'finished', id, result });
};
const settled = (store: AppStore): Promise<void> =>
  vi.waitFor(() => expect(store.get().items.every(({ isStored }) => isStored !== null)).toBe(true));
const statuses = (store: AppStore): readonly string[] =>
  store.get().items.map(({ id, status }) => `${id} ${status}`);

describe('a reloaded page', () => {
  it('restores its files, results, folders, settings and selection', async () => {
    const { files } = disk(['task-a']);
    const { store } = await open(files);
    const file = rememberPath(
      new File(['b'], 'b.jpg', { type: 'image/jpeg', lastModified: 7 }),
      '/trip/b.jpg',
    );
    add(store, 'a');
    store.send({ type: 'added', files: [{ id: 'b', file }] });
    finish(store, 'a');
    store.send({ type: 'settings-changed', settings: { ...store.get().settings, method: 'blacken' } });
    store.send({ type: 'selected', id: 'b' });
    store.send({ type: 'paused', isPaused: true });
    await settled(store);

    const again = (await open(files)).store.get();
    expect(again.items[0]?.result).toEqual(RESULT);
    expect(again.items[0]?.settings).toEqual(store.get().items[0]?.settings);
    expect(again).toMatchObject({ selectedId: 'b', isPaused: true, settings: { method: 'blacken' } });
    const restored = again.items[1]!.file;
    expect(placeOf(restored)).toEqual({ folder: 'trip/', name: 'b.jpg' });
    expect([restored.type, restored.lastModified, await restored.text()]).toEqual(['image/jpeg', 7, 'b']);
  });

  it('continues with waiting files, and restarts files that were interrupted or have lost their result', async () => {
    const { files } = disk();
    const { store } = await open(files);
    add(store, 'done', 'in-work', 'waiting', 'failed');
    finish(store, 'done');
    store.send({ type: 'started', id: 'failed' });
    store.send({ type: 'failed', id: 'failed', error: 'No image.' });
    store.send({ type: 'started', id: 'in-work' });
    await settled(store);
    const again = (await open(files)).store;
    expect(statuses(again)).toEqual(['done waiting', 'in-work waiting', 'waiting waiting', 'failed failed']);
    expect(again.get().items[0]?.result).toBeNull();
    expect(again.get().items[3]?.error).toBe('No image.');
  });

  it('continues to apply edits to a video without a new detection run, and keeps them if the result is lost', async () => {
    const { files } = disk(['task-a']);
    const { store } = await open(files);
    add(store, 'a');
    const video = { ...NO_LOSSES, appliedEdits: NO_ITEM_EDITS, followed: [] };
    finish(store, 'a', { ...RESULT, video });
    const edits = withDrawn(NO_ITEM_EDITS, { at: 0.000_001, bbox: [0, 0, 9, 9] });
    store.send({ type: 'edited', id: 'a', edit: { type: 'replaced', edits } });
    store.send({ type: 'applied' });
    store.send({ type: 'started', id: 'a' });
    await settled(store);
    const [again] = (await open(files)).store.get().items;
    expect(again).toMatchObject({ status: 'waiting', revision: 'wanted', edits: { present: edits } });
    expect(again?.settings).toEqual(defaultSettings());
    const { files: empty } = disk();
    await empty.writeRecords((await files.readRecords()) ?? '');
    await empty.storeOriginal('a', new File(['a'], 'a.jpg'), new AbortController().signal);
    const [lost] = (await open(empty)).store.get().items;
    expect(lost).toMatchObject({
      status: 'waiting',
      revision: 'none',
      result: null,
      edits: { present: edits },
    });
  });

  it('gives up a file that ended the page several times', async () => {
    const { files } = disk();
    let { store } = await open(files);
    add(store, 'a');
    await settled(store);
    for (const status of ['waiting', 'waiting', 'failed']) {
      store.send({ type: 'started', id: 'a' });
      await Promise.resolve();
      store = (await open(files)).store;
      expect(statuses(store)).toEqual([`a ${status}`]);
    }
  });

  it('names the files that could not be stored', async () => {
    const { files } = disk();
    const { store } = await open(files);
    add(store, 'huge', 'small');
    await settled(store);
    expect(hasUnstored(store.get())).toBe(true);
    const again = await open(files);
    expect(again.lost).toEqual(['huge.jpg']);
    expect(again.store.get()).toMatchObject({ items: [{ id: 'small' }], selectedId: 'small' });
    expect(hasUnstored(again.store.get())).toBe(false);
  });

  it('does not search files whose detections came with them', async () => {
    const { files } = disk();
    const { store } = await open(files);
    await addFiles(store, [new File(['a'], 'a.jpg'), new File(['{"images":[]}'], 'found.json')]);
    await addFiles(store, [new File(['b'], 'b.jpg')]);
    await settled(store);
    const again = (await open(files)).store.get().items;
    expect(again.map(({ file }) => detectionsOf(file))).toEqual(['lost', undefined]);
  });

  it.each([
    [3, { appliedEdits: 'made', editable: 'revisable', hasImage: 'hasPicture' }],
    [4, { hasImage: 'hasPicture' }],
  ])('restores what a page of version %i stored, with its edits', async (version, oldNames) => {
    const { files, records } = disk(['task-a']);
    const { store } = await open(files);
    const edits = { ...NO_ITEM_EDITS, method: 'blacken' } as const;
    const result = { ...RESULT, video: { ...NO_LOSSES, appliedEdits: edits, followed: [] } };
    add(store, 'a');
    finish(store, 'a', result);
    await settled(store);
    const stored = Object.entries(oldNames).reduce(
      (text, [name, before]) => text.replaceAll(`"${name}":`, `"${before}":`),
      records()!.replace(/"version":\d+/, `"version":${version}`),
    );
    expect(stored).toContain('"hasPicture":true');
    await files.writeRecords(stored);
    expect((await open(files)).store.get().items[0]?.result).toEqual(result);
  });

  it('starts empty, and removes what a page of an earlier version stored', async () => {
    const { files, originals, records } = disk(['task-a']);
    const { store } = await open(files);
    add(store, 'a');
    await settled(store);
    await files.writeRecords(records()!.replace(/"version":\d+/, '"version":1'));
    const again = await open(files);
    expect([again.store.get().items, again.lost, originals.size]).toEqual([[], [], 0]);
  });

  it('starts empty if its records are damaged, and removes the files', async () => {
    const { files, originals } = disk();
    originals.set('a', new File(['a'], 'a.jpg'));
    await files.writeRecords('{"version":');
    const store: AppStore = createStore(reduceApp, emptyState(defaultSettings()));
    const onFailure = vi.fn();
    expect(await startLibrary(store, files, onFailure)).toEqual([]);
    expect(onFailure).toHaveBeenCalledOnce();
    expect([store.get().items, originals.size]).toEqual([[], 0]);
  });

  it('starts empty if its records cannot be read, and removes nothing', async () => {
    const { files, originals } = disk();
    originals.set('a', new File(['a'], 'a.jpg'));
    const unreadable = {
      ...files,
      readRecords: () => Promise.reject(new DOMException('', 'NotReadableError')),
    };
    const store: AppStore = createStore(reduceApp, emptyState(defaultSettings()));
    const onFailure = vi.fn();
    expect(await startLibrary(store, unreadable, onFailure)).toEqual([]);
    expect(onFailure).toHaveBeenCalledOnce();
    expect([store.get().items, originals.size]).toEqual([[], 1]);
  });
});

describe('a removed file', () => {
  it('is deleted from the disk; after the last file the records are deleted, too', async () => {
    const { files, originals, records } = disk();
    const { store } = await open(files);
    add(store, 'a', 'b');
    await settled(store);
    store.send({ type: 'removed', id: 'a' });
    expect([...originals.keys()]).toEqual(['b']);
    store.send({ type: 'cleared' });
    await vi.waitFor(() => expect(records()).toBeUndefined());
    expect(originals.size).toBe(0);
  });

  it('is deleted even if it was being copied', async () => {
    const { files, originals } = disk();
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const removed = vi.fn(files.removeOriginal);
    const slow: LibraryFiles = {
      ...files,
      removeOriginal: removed,
      storeOriginal: async (id, file) => {
        await arrived;
        originals.set(id, file);
        return true;
      },
    };
    const { store } = await open(slow);
    add(store, 'a');
    store.send({ type: 'cleared' });
    arrive();
    await vi.waitFor(() => expect(removed).toHaveBeenCalledWith('a'));
    expect(originals.size).toBe(0);
  });
});

it('progress does not write records', async () => {
  const { files } = disk();
  const write = vi.fn(files.writeRecords);
  const { store } = await open({ ...files, writeRecords: write });
  add(store, 'a');
  await settled(store);
  store.send({ type: 'started', id: 'a' });
  await vi.waitFor(() => expect(write).toHaveBeenCalled());
  const before = write.mock.calls.length;
  store.send({ type: 'progressed', id: 'a', progress: 0.5, frames: null });
  expect(write.mock.calls.length).toBe(before);
});
