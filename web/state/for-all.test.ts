import { describe, expect, it } from 'vitest';
import { ignoredArea } from '#shared/domain/edits/edits';
import { NO_ITEM_EDITS } from './edit-history';
import { boxOf, found } from '#shared/testing/plans';
import { changesBySettings, changesByOverride, type ClassOverride } from './for-all';
import { isStale, type MediaResult } from './media-item';
import { emptyState, reduceApp, type AppEvent, type AppState } from './app-reducer';
import { isOutdated } from './wanted-edits';
import { defaultSettings, setThreshold } from './settings';

const SETTINGS = defaultSettings();
const resultOf = (taskId: string): MediaResult => ({
  taskId,
  width: 40,
  height: 20,
  objects: [],
  durationS: 0.1,
  hasImage: true,
  editable: {
    found: [
      { id: 0, detection: found('face', boxOf(0, 0, 9, 9)) },
      { id: 1, detection: found('license-plate', boxOf(10, 0, 19, 9)) },
      { id: 2, detection: found('face', boxOf(20, 0, 29, 9), 0.3) },
    ],
    searched: SETTINGS.classes,
    appliedEdits: { settings: SETTINGS, edits: NO_ITEM_EDITS },
  },
});
const after = (state: AppState, ...events: readonly AppEvent[]): AppState => events.reduce(reduceApp, state);
const done = (...ids: readonly string[]): AppState =>
  after(
    emptyState(SETTINGS),
    { type: 'added', files: ids.map((id) => ({ id, file: new File([], `${id}.jpg`) })) },
    ...ids.flatMap((id): AppEvent[] => [
      { type: 'started', id },
      { type: 'finished', id, result: resultOf(`task-${id}`) },
    ]),
  );
const wish = (changed: Partial<ClassOverride> = {}): AppEvent => ({
  type: 'class-wished',
  wish: { objectClass: 'license-plate', how: 'blacken', ...changed },
});
const methods = ({ items }: AppState) => items.map(({ settings }) => settings?.methods ?? {});

describe('a setting for all objects of a class', () => {
  it('applies to every image at once, and to images that are added later, without a new detection run', () => {
    const state = after(done('a', 'b'), wish());
    expect(methods(state)).toEqual(Array(2).fill({ 'license-plate': 'blacken' }));
    expect(state.settings.methods).toEqual({ 'license-plate': 'blacken' });
    expect(state.items.map(({ status }) => status)).toEqual(['done', 'done']);
    expect(state.items.every(isOutdated)).toBe(true);
    expect(state.items.some((item) => isStale(item, state.settings))).toBe(false);
  });

  it('is undone in one step; later edits stay', () => {
    const before = done('a', 'b');
    const all = after(before, wish());
    expect(after(all, { type: 'undone-for-all' })).toEqual(before);
    const drawn: AppEvent = {
      type: 'edited',
      id: 'b',
      edit: { type: 'kept', area: { key: -1, ...ignoredArea(boxOf(1, 1, 5, 5)) } },
    };
    const undone = after(all, drawn, { type: 'undone-for-all' });
    expect(methods(undone)).toEqual([{}, {}]);
    expect(undone.items[1]?.edits.present.ignores).toHaveLength(1);
  });

  it('does not apply other pending settings to other images', () => {
    const settings = setThreshold(SETTINGS, 'face', 0.25);
    const state = after(done('a', 'b'), { type: 'settings-changed', settings }, wish());
    expect(state.items.map((item) => item.settings?.thresholds.face)).toEqual([0.25, 0.5]);
    expect(state.items.map((item) => isStale(item, state.settings))).toEqual([false, true]);
  });

  it('starts no new detection run for videos and for results of a server', () => {
    const { editable: _none, ...fixed } = resultOf('task-c');
    const state = after(
      done('a'),
      { type: 'added', files: [{ id: 'c', file: new File([], 'c.jpg') }] },
      { type: 'started', id: 'c' },
      { type: 'finished', id: 'c', result: fixed },
      wish(),
    );
    expect(state.items.map((item) => isStale(item, state.settings))).toEqual([false, false]);
    expect(after(state, { type: 'applied' }).items.map(({ status }) => status)).toEqual(['done', 'done']);
  });

  it('applies to an image that is being processed, without stopping it', () => {
    const state = after(
      emptyState(SETTINGS),
      { type: 'added', files: [{ id: 'a', file: new File([], 'a.jpg') }] },
      { type: 'started', id: 'a' },
      wish(),
      { type: 'finished', id: 'a', result: resultOf('task-a') },
    );
    expect(methods(state)).toEqual([{ 'license-plate': 'blacken' }]);
    expect(state.items.every(isOutdated)).toBe(true);
  });
});

describe('the number of changes', () => {
  const { items } = done('a', 'b');

  it('counts objects and images', () => {
    expect(changesByOverride(items, { objectClass: 'license-plate', how: 'blacken' })).toEqual({
      objects: 2,
      images: 2,
    });
    expect(changesByOverride(items, { objectClass: 'face', how: 'visible' }).objects).toBe(2);
    expect(changesByOverride(items, { objectClass: 'face', how: 'blur' }).objects).toBe(0);
    expect(changesBySettings(items, setThreshold(SETTINGS, 'face', 0.25)).objects).toBe(2);
  });

  it('excludes objects with their own method and switched-off objects', () => {
    const edited = after(
      done('a'),
      { type: 'edited', id: 'a', edit: { type: 'changed', id: 0, change: { method: 'pixelate' } } },
      { type: 'edited', id: 'a', edit: { type: 'changed', id: 1, change: { hidden: false } } },
    );
    expect(changesByOverride(edited.items, { objectClass: 'face', how: 'blacken' }).objects).toBe(0);
    expect(changesByOverride(edited.items, { objectClass: 'license-plate', how: 'blacken' }).objects).toBe(0);
  });
});
