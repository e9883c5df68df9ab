import { describe, expect, it } from 'vitest';
import type { Subject } from '../domain/subject';
import type { SubjectStore } from '../ports/storage';

const subject = (id: string, createdAtMs: number): Subject => ({
  id,
  createdAtMs,
  embeddings: [[0.6, -0.8], [0, 1]], // oxfmt-ignore
});

/** The rules of each subject store. @param open opens an empty store */
export const describeSubjectStore = (name: string, open: () => Promise<SubjectStore>): void => {
  describe(`subjects: ${name}`, () => {
    it('returns a stored subject exactly, and lists the newest first', async () => {
      const store = await open();
      await store.put(subject('a', 1));
      await store.put(subject('b', 2));
      expect(await store.get('a')).toEqual(subject('a', 1));
      expect((await store.list()).map(({ id }) => id)).toEqual(['b', 'a']);
    });

    it('keeps nothing of a removed subject, and reports whether there was one', async () => {
      const store = await open();
      await store.put(subject('a', 1));
      expect([await store.remove('a'), await store.remove('a')]).toEqual([true, false]);
      expect(await store.get('a')).toBeUndefined();
      expect(await store.list()).toEqual([]);
    });

    it('removes only subjects that were created before a moment', async () => {
      const store = await open();
      for (const [id, atMs] of [['a', 10], ['b', 20], ['c', 30]] as const) await store.put(subject(id, atMs)); // oxfmt-ignore
      await store.removeCreatedBefore(20);
      expect((await store.list()).map(({ id }) => id)).toEqual(['c', 'b']);
    });
  });
};
