import { expect, it } from 'vitest';
import { defaultImageOptions } from '#shared/domain/options';
import { emptyState, reduceApp, type AppEvent, type AppState } from './app-reducer';
import { loadReview, type ReviewServer } from './load-review';
import { newItem } from './media-item';
import { defaultSettings } from './settings';
import { createStore, type Store } from './store';

const FILES = ['a', 'b', 'c'].map((id) => ({
  id,
  name: `${id}.jpg`,
  contentType: 'image/jpeg',
  lastModifiedMs: 1,
}));

/** A review whose tasks are done when they are asked for; records of done tasks have an empty error. */
const serverOf = (asked: string[], onAsked: (id: string) => void): ReviewServer =>
  ({
    newItem,
    firstResult: async (_client: unknown, { id }: { id: string }) => ({
      ...{ taskId: id, width: 9, height: 9, objects: [], durationS: 0, hasImage: true },
    }),
    client: {
      async *watch(id: string) {
        asked.push(id);
        onAsked(id);
        yield { id, status: 'done', error: null, progress: 1, content_type: 'image/jpeg' };
      },
      decisions: async () => ({ decisions: [] }),
    },
    list: async () => FILES,
    state: async (id: string) =>
      id === 'b' ? { error: 'Its source is gone.' } : { options: defaultImageOptions(), edits: {} },
    source: async () => new Blob(['x']),
  }) as unknown as ReviewServer;

it('a review shows the file next that the user looks at, and goes on behind one that has no result', async () => {
  const store: Store<AppState, AppEvent> = createStore(reduceApp, emptyState(defaultSettings()));
  const asked: string[] = [];
  await loadReview(
    serverOf(asked, (id) => id === 'a' && store.send({ type: 'selected', id: 'c' })),
    store,
  );
  expect(asked).toEqual(['a', 'c', 'b']);
  const { items, selectedId } = store.get();
  expect(items.map(({ id, status, error }) => [id, status, error])).toEqual([
    ['a', 'done', null],
    ['b', 'failed', 'Its source is gone.'],
    ['c', 'done', null],
  ]);
  expect(selectedId).toBe('c');
});
