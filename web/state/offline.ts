import type { StoredFile } from '../service-worker/protocol';
import { createStore, type Store } from './store';

/** Storage for the page's files. */
export interface OfflineStore {
  /** Resolves when files can be stored. */
  readonly ready: Promise<void>;
  list(): Promise<readonly StoredFile[]>;
  /** @returns whether the file is stored now */
  store(path: string): Promise<boolean>;
  /** Removes all stored files. The open page continues to work. */
  remove(): Promise<void>;
}

export type OfflineStatus =
  | { readonly kind: 'checking' }
  /** The browser provides no storage. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'storing'; readonly storedBytes: number; readonly totalBytes: number }
  | { readonly kind: 'stored'; readonly storedBytes: number }
  /** Files without which the page does not work offline. */
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] }
  | { readonly kind: 'removed' };

export interface Offline {
  readonly status: Pick<Store<OfflineStatus, never>, 'get' | 'subscribe'>;
  /** Stores missing files. @param hasGpu whether this machine runs models on its GPU */
  complete(hasGpu: boolean): Promise<void>;
  remove(): Promise<void>;
}

const sumBytes = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const storedOf = (files: readonly StoredFile[]): readonly StoredFile[] =>
  files.filter(({ isStored }) => isStored);

/** Stores the files that the page needs offline, one after another, and reports progress. */
export const createOffline = (store: OfflineStore): Offline => {
  const status = createStore<OfflineStatus, OfflineStatus>((_, next) => next, { kind: 'checking' });

  const storeMissing = async (hasGpu: boolean): Promise<void> => {
    await store.ready;
    const groups = hasGpu ? ['shell', 'engine', 'gpu'] : ['shell', 'engine'];
    const wanted = (files: readonly StoredFile[]): readonly StoredFile[] =>
      files.filter(({ group }) => groups.includes(group));
    const needed = wanted(await store.list());
    let storedBytes = sumBytes(storedOf(needed));
    const totalBytes = sumBytes(needed);
    for (const { path, bytes } of needed.filter(({ isStored }) => !isStored)) {
      status.send({ kind: 'storing', storedBytes, totalBytes });
      if (await store.store(path)) storedBytes += bytes;
    }
    const all = await store.list();
    const missing = wanted(all).filter(({ isStored }) => !isStored);
    status.send(
      missing.length > 0
        ? { kind: 'incomplete', missing: missing.map(({ path }) => path) }
        : { kind: 'stored', storedBytes: sumBytes(storedOf(all)) },
    );
  };
  return {
    status,
    complete: (hasGpu) => storeMissing(hasGpu).catch(() => status.send({ kind: 'unavailable' })),
    remove: async () => {
      await store.remove();
      status.send({ kind: 'removed' });
    },
  };
};
