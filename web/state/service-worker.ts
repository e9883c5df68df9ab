import type { StoredFile, SentRequest } from '../service-worker/protocol';
import { createValue, type Readable } from './store';

/** Requests of this page since it was opened. */
export interface Traffic {
  /** False until all requests are counted; stays false if the browser does not support it. */
  readonly isCounted: boolean;
  readonly sentBytes: number;
  readonly requestCount: number;
  /** The latest requests, newest first. */
  readonly requests: readonly SentRequest[];
}

export interface TrafficSource {
  /** Resolves when all requests are counted. */
  readonly ready: Promise<void>;
  onSent(listener: (request: SentRequest) => void): void;
}

/** Number of listed requests; the sums include all. */
const MAX_LISTED = 100;

const countRequest = (traffic: Traffic, request: SentRequest): Traffic => ({
  ...traffic,
  sentBytes: traffic.sentBytes + request.bytes,
  requestCount: traffic.requestCount + 1,
  requests: [request, ...traffic.requests].slice(0, MAX_LISTED),
});

/** Counts the requests of the page as soon as the source reports them. */
export const startTraffic = (source: TrafficSource): Readable<Traffic> => {
  const store = createValue<Traffic>({
    isCounted: false,
    sentBytes: 0,
    requestCount: 0,
    requests: [],
  });
  source.onSent((request) => store.send(countRequest(store.get(), request)));
  source.ready.then(
    () => store.send({ ...store.get(), isCounted: true }),
    () => undefined,
  );
  return store;
};

export interface UpdateSource {
  /** Called when another version waits, or already runs because another tab accepted it. */
  onUpdate(listener: () => void): void;
  /** Reloads the page with the other version. */
  update(): Promise<void>;
}

export interface Update {
  readonly isOffered: Readable<boolean>;
  accept(): void;
  /** Declines for now; the user is asked again at the next visit. */
  decline(): void;
}

/** Starts a new version only when the user accepts it, because a reload interrupts processing. */
export const startUpdate = (source: UpdateSource): Update => {
  const isOffered = createValue<boolean>(false);
  source.onUpdate(() => isOffered.send(true));
  return {
    isOffered,
    accept: () => void source.update(),
    decline: () => isOffered.send(false),
  };
};

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
  readonly status: Readable<OfflineStatus>;
  /** Stores missing files. @param hasGpu whether this machine runs models on its GPU */
  complete(hasGpu: boolean): Promise<void>;
  remove(): Promise<void>;
}

const sumBytes = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const storedOf = (files: readonly StoredFile[]): readonly StoredFile[] =>
  files.filter(({ isStored }) => isStored);

/** Stores the files that the page needs offline, one after another, and reports progress. */
export const createOffline = (store: OfflineStore): Offline => {
  const status = createValue<OfflineStatus>({ kind: 'checking' });

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
