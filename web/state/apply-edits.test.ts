import { describe, expect, it, vi } from 'vitest';
import { NO_ITEM_EDITS, reduceEdits, type EditEvent } from './edit-history';
import { ignoredArea } from '#shared/domain/edits/edits';
import type { MediaResult } from './media-item';
import { emptyState, reduceApp, type AppEvent, type AppState } from './app-reducer';
import { beforeDecision } from './uncertain/decide';
import { isOutdated, type WantedEdits } from './wanted-edits';
import { startApplyingEdits, type Anonymiser } from './work';
import { hasOutdatedResults, isSavable, saveAll, saveItem } from './save';
import { defaultSettings, type Settings } from './settings';
import { createStore, type Store } from './store';

const SETTINGS = defaultSettings();
const FACE = { objectClass: 'face', score: 0.9, box: { x1: 0, y1: 0, x2: 9, y2: 9 } } as const;
const resultOf = (taskId: string): MediaResult => ({
  taskId,
  width: 40,
  height: 20,
  objects: [],
  durationS: 0.1,
  hasImage: true,
  editable: {
    found: [{ id: 0, detection: FACE }],
    searched: SETTINGS.classes,
    appliedEdits: { settings: SETTINGS, edits: NO_ITEM_EDITS },
  },
});
const off: EditEvent = { type: 'changed', id: 0, change: { hidden: false } };
const PIXELATE: Settings = { ...SETTINGS, method: 'pixelate' };

const createDone = (...ids: readonly string[]): Store<AppState, AppEvent> => {
  const store = createStore(reduceApp, emptyState(SETTINGS));
  store.send({ type: 'added', files: ids.map((id) => ({ id, file: new File([], `${id}.jpg`) })) });
  for (const id of ids) {
    store.send({ type: 'started', id });
    store.send({ type: 'finished', id, result: resultOf(`task-${id}`) });
  }
  return store;
};

/** An editor whose renderings end when the test requests it. */
const createWorkshop = (store: Store<AppState, AppEvent>) => {
  const jobs: { readonly wanted: WantedEdits; finish(): void; fail(): void }[] = [];
  startApplyingEdits(store, {
    applyEdits: (result, wanted) =>
      new Promise((resolve, reject) => {
        const { editable } = result;
        if (!editable) throw new Error('the result is not editable');
        const finish = (): void => resolve({ ...result, editable: { ...editable, appliedEdits: wanted } });
        jobs.push({ wanted, finish, fail: () => reject(new Error('no more memory')) });
      }),
  });
  return jobs;
};
const first = (store: Store<AppState, AppEvent>) => store.get().items[0]!;

describe('an edited image', () => {
  it('cannot be saved before its result contains the edits', async () => {
    const store = createDone('a');
    const jobs = createWorkshop(store);
    store.send({ type: 'edited', id: 'a', edit: off });
    expect(hasOutdatedResults(store.get().items)).toBe(true);
    jobs[0]!.finish();
    await vi.waitFor(() => expect(hasOutdatedResults(store.get().items)).toBe(false));
  });

  it('is refused by both ways to save until its result contains the edits', async () => {
    const store = createDone('a', 'b');
    createWorkshop(store);
    store.send({ type: 'edited', id: 'a', edit: off });
    const nothing = async (): Promise<never> => {
      throw new Error('a file was read');
    };
    const anonymiser = { file: nothing, masks: nothing, metadata: nothing } as unknown as Anonymiser;
    await expect(saveItem(first(store), anonymiser)).rejects.toThrow('not in the files yet');
    await expect(saveAll(store.get().items, anonymiser, 'all.zip')).rejects.toThrow('not in the files');
  });

  it('is rendered once for all edits that were made during a rendering', async () => {
    const store = createDone('a');
    const jobs = createWorkshop(store);
    for (let i = 0; i < 5; i++) {
      const bbox = [i, 0, i + 5, 5] as const;
      store.send({ type: 'edited', id: 'a', edit: { type: 'changed', id: 0, change: { bbox } } });
    }
    jobs[0]!.finish();
    await vi.waitFor(() => expect(jobs).toHaveLength(2));
    expect(jobs[1]!.wanted.edits).toBe(first(store).edits.present);
    jobs[1]!.finish();
    await vi.waitFor(() => expect(isOutdated(first(store))).toBe(false));
    expect(jobs).toHaveLength(2);
  });

  it('cannot be saved if rendering fails twice, and another attempt needs no new detection run', async () => {
    const store = createDone('a');
    const jobs = createWorkshop(store);
    store.send({ type: 'edited', id: 'a', edit: off });
    jobs[0]!.fail();
    await vi.waitFor(() => expect(jobs).toHaveLength(2));
    expect(isOutdated(first(store))).toBe(true);
    jobs[1]!.fail();
    await vi.waitFor(() => expect(first(store)).toMatchObject({ status: 'failed', revision: 'failed' }));
    expect(isSavable(first(store))).toBe(false);
    store.send({ type: 'retried', id: 'a' });
    expect(jobs[2]?.wanted.edits.objects).toEqual([{ id: 0, hidden: false }]);
    jobs[2]!.finish();
    await vi.waitFor(() => expect(isSavable(first(store)) && !isOutdated(first(store))).toBe(true));
  });

  it('waits while further decisions about it are expected, and is then rendered once for all of them', () => {
    const store = createDone('a', 'b');
    const jobs = createWorkshop(store);
    const decided = (hidden: boolean): void => {
      const edits = reduceEdits(first(store).edits, { type: 'changed', id: 0, change: { hidden } });
      const after = { ...beforeDecision(first(store)), edits, decided: ['object 0'] };
      store.send({ type: 'decided', id: 'a', after });
    };
    decided(false);
    decided(true);
    expect([isOutdated(first(store)), jobs]).toEqual([true, []]);
    store.send({ type: 'decisions-ended', ids: new Set(['b']) });
    expect(jobs).toEqual([]);
    store.send({ type: 'decisions-ended', ids: new Set(['a']) });
    expect(jobs.map(({ wanted }) => wanted.edits.objects)).toEqual([[{ id: 0, hidden: true }]]);
  });

  it('keeps its edits after a new detection run', async () => {
    const store = createDone('a');
    createWorkshop(store);
    store.send({ type: 'edited', id: 'a', edit: off });
    store.send({ type: 'retried', id: 'a' });
    store.send({ type: 'started', id: 'a' });
    store.send({ type: 'finished', id: 'a', result: resultOf('task-b') });
    expect(first(store).edits.present.objects).toEqual([{ id: 0, hidden: false }]);
    expect(isOutdated(first(store))).toBe(true);
  });
});

describe('drawn areas', () => {
  it('are copied to all images of the same size, and to no others', () => {
    const store = createDone('a', 'b', 'c');
    store.send({ type: 'retried', id: 'c' });
    store.send({ type: 'started', id: 'c' });
    store.send({ type: 'finished', id: 'c', result: { ...resultOf('task-c'), width: 99 } });
    const area = { key: -1, ...ignoredArea(FACE.box) };
    store.send({ type: 'edited', id: 'a', edit: { type: 'kept', area } });
    store.send({ type: 'areas-copied', id: 'a' });
    expect(store.get().items.map(({ edits }) => edits.present.ignores.length)).toEqual([1, 1, 0]);
    expect(store.get().items.map(isOutdated)).toEqual([true, true, false]);
  });
});

describe('changed settings', () => {
  it('change the selected image at once, and the other images when they are applied', () => {
    const store = createDone('a', 'b');
    store.send({ type: 'settings-changed', settings: PIXELATE });
    expect(store.get().items.map(isOutdated)).toEqual([true, false]);
    store.send({ type: 'applied' });
    expect(store.get().items.map(isOutdated)).toEqual([true, true]);
    expect(store.get().items.map(({ status }) => status)).toEqual(['done', 'done']);
  });

  it('need a new detection run for a class that was not searched for', () => {
    const store = createDone('a');
    const settings: Settings = { ...SETTINGS, classes: [...SETTINGS.classes, 'person'] };
    store.send({ type: 'settings-changed', settings });
    expect(isOutdated(first(store))).toBe(false);
    store.send({ type: 'applied' });
    expect(first(store).status).toBe('waiting');
  });

  it('need a new detection run for another quality preset', () => {
    const store = createDone('a');
    store.send({ type: 'settings-changed', settings: { ...PIXELATE, qualityPreset: 'thorough' } });
    expect(isOutdated(first(store))).toBe(false);
    store.send({ type: 'applied' });
    expect(first(store).status).toBe('waiting');
  });

  it('without any class change nothing', () => {
    const store = createDone('a');
    store.send({ type: 'settings-changed', settings: { ...SETTINGS, classes: [] } });
    expect(isOutdated(first(store))).toBe(false);
  });

  it('that are restored from an earlier visit match the result', () => {
    const item = first(createDone('a'));
    const restored = JSON.parse(JSON.stringify({ ...item, file: null })) as typeof item;
    expect(isOutdated(restored)).toBe(false);
  });
});
