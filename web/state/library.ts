import { detectionsOf, loseDetections, pathOf, rememberPath } from './add-files';
import { withoutServer } from './fetched-results';
import { newItem, type MediaItem } from './media-item';
import type { AppEvent, AppState, RestoredState } from './app-reducer';
import { type Store, workThrough } from './store';

/**
 * Writes values one after another. If several arrive during a write, only the newest is written.
 *
 * @param write handles its own errors
 */
export const createLatestWriter = <Value>(
  write: (value: Value) => Promise<void>,
): ((value: Value) => void) => {
  let next: { readonly value: Value } | undefined;
  let isWriting = false;
  const run = async (): Promise<void> => {
    isWriting = true;
    while (next) {
      const { value } = next;
      next = undefined;
      await write(value);
    }
    isWriting = false;
  };
  return (value) => {
    next = { value };
    if (!isWriting) void run();
  };
};

/** Storage for the page's files and records, so that the next visit can restore them. */
export interface LibraryFiles {
  /** The last saved text; undefined if there is none. */
  readRecords(): Promise<string | undefined>;
  /** @param text null: remove the record */
  writeRecords(text: string | null): Promise<void>;
  original(id: string): Promise<Blob | undefined>;
  /** Copies the file in pieces. @returns false if there is not enough room */
  storeOriginal(id: string, file: File, signal: AbortSignal): Promise<boolean>;
  removeOriginal(id: string): Promise<void>;
  /**
   * Restores the results of these items, and removes all other files.
   *
   * @returns ids of the tasks whose results are complete
   */
  restoreResults(items: readonly RestoredItem[]): Promise<ReadonlySet<string>>;
}

export interface RestoredItem {
  readonly id: string;
  readonly file: File;
  /** Task id of its result. */
  readonly taskId: string | undefined;
}

type AppStore = Store<AppState, AppEvent>;

/** Version of the record format; other versions are ignored, except for 3 and 4, which have some other names. */
const VERSION = 5;
const VERSIONS_WITH_OLD_NAMES: readonly number[] = [3, 4];
const NEW_NAMES = new Map([
  ['revisable', 'editable'],
  ['made', 'appliedEdits'],
  ['hasPicture', 'hasImage'],
]);
/** Attempts after which a file that makes the page end is not processed again at start. */
const MAX_INTERRUPTIONS = 2;

/** The saved part of an item: everything except its file, which is stored next to the records, and derived data. */
type ItemRecord = Omit<MediaItem, 'file' | 'progress' | 'frames' | 'thumbnailUrl' | 'unrecordedDecisions'> & {
  readonly file: {
    readonly name: string;
    readonly type: string;
    readonly lastModified: number;
    readonly path: string;
    /** Whether it came with detections, which are not stored. */
    readonly hasDetections?: boolean;
  };
};

interface Records extends Omit<RestoredState, 'items'> {
  readonly version: number;
  readonly pictures: readonly ItemRecord[];
}

const recordOf = ({
  file,
  progress: _p,
  frames: _f,
  thumbnailUrl: _t,
  unrecordedDecisions: _again,
  ...item
}: MediaItem): ItemRecord => ({
  ...item,
  file: {
    ...{ name: file.name, type: file.type, lastModified: file.lastModified, path: pathOf(file) },
    ...(detectionsOf(file) && { hasDetections: true }),
  },
});

/** Caches each item's record as text, because only one of hundreds changes at a time. */
const texts = new WeakMap<MediaItem, string>();
const textOf = (item: MediaItem): string => {
  const text = texts.get(item) ?? JSON.stringify(recordOf(item));
  texts.set(item, text);
  return text;
};

/** The saved part of the state; null if there is nothing to restore. */
export const recordsOf = ({ items, selectedId, settings, isPaused }: AppState): string | null => {
  if (items.length === 0) return null;
  // The page of the next visit does not know the person who stays visible.
  const head = JSON.stringify({
    ...{ version: VERSION, selectedId, isPaused },
    settings: { ...settings, show: undefined },
  });
  return `${head.slice(0, -1)},"pictures":[${items.map(textOf).join(',')}]}`;
};

/** Restores the user's file. It is read from the copy when it is needed. */
const fileOf = ({ file }: ItemRecord, copy: Blob): File => {
  const { name, type, lastModified, path, hasDetections } = file;
  const restored = rememberPath(new File([copy], name, { type, lastModified }), path);
  return hasDetections ? loseDetections(restored) : restored;
};

/** Starts interrupted processing again, unless it seems to have made the page end. */
const resumed = ({ status, interruptions, revision, settings }: ItemRecord): Partial<MediaItem> => {
  if (status !== 'processing') return {};
  const isFatal = interruptions + 1 > MAX_INTERRUPTIONS;
  return {
    status: isFatal ? 'failed' : 'waiting',
    interruptions: interruptions + 1,
    // A result whose edits were interrupted still shows the earlier edits.
    settings: revision === 'wanted' ? settings : null,
  };
};

/** @param whole tasks whose results are complete */
const restoredItem = (record: ItemRecord, file: File, whole: ReadonlySet<string>): MediaItem => {
  const item = { ...newItem({ id: record.id, file }), ...record, ...resumed(record), file };
  if (record.result !== null && whole.has(record.result.taskId)) return withoutServer(item);
  const isLost = record.status === 'done';
  return { ...item, result: null, revision: 'none', ...(isLost && { status: 'waiting', settings: null }) };
};

const withNewNames = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, own]) => [NEW_NAMES.get(name) ?? name, own]))
    : value;

const parse = (text: string | undefined): Records | undefined => {
  if (text === undefined) return undefined;
  const records = JSON.parse(text) as Records;
  if (VERSIONS_WITH_OLD_NAMES.includes(records.version)) return JSON.parse(text, withNewNames) as Records;
  return records.version === VERSION ? records : undefined;
};

/**
 * Restores the state of an earlier visit.
 *
 * @returns the state, and the names of files that could not be stored
 */
const readLibrary = async (
  files: LibraryFiles,
): Promise<{ readonly state: RestoredState; readonly lost: readonly string[] } | undefined> => {
  const records = parse(await files.readRecords());
  if (!records) return undefined;
  const found = await Promise.all(
    records.pictures.map(async (record) => {
      const copy = record.isStored === true ? await files.original(record.id) : undefined;
      return { record, file: copy && fileOf(record, copy) };
    }),
  );
  const kept = found.flatMap(({ record, file }) => (file ? [{ record, file }] : []));
  const whole = await files.restoreResults(
    kept.map(({ record: { id, result }, file }) => ({ id, file, taskId: result?.taskId })),
  );
  const items = kept.map(({ record, file }) => restoredItem(record, file, whole));
  const { settings, isPaused } = records;
  const isThere = items.some(({ id }) => id === records.selectedId);
  const selectedId = isThere ? records.selectedId : (items[0]?.id ?? null);
  return {
    state: { items, selectedId, settings, isPaused },
    lost: found.flatMap(({ record, file }) => (file ? [] : [record.file.name])),
  };
};

/** Copies the files of items one after another, and deletes the copies of removed items. */
const copyOriginals = (store: AppStore, files: LibraryFiles): void => {
  let before: readonly MediaItem[] = store.get().items;
  const copy = async ({ id, file }: MediaItem): Promise<void> => {
    const controller = new AbortController();
    const isThere = (): boolean => store.get().items.some((item) => item.id === id);
    const unsubscribe = store.subscribe(() => {
      if (!isThere()) controller.abort();
    });
    const isStored = await files.storeOriginal(id, file, controller.signal).catch(() => false);
    unsubscribe();
    if (isThere()) store.send({ type: 'stored', id, isStored });
    else await files.removeOriginal(id);
  };
  store.subscribe(() => {
    const { items } = store.get();
    if (items === before) return;
    const kept = new Set(items.map(({ id }) => id));
    const gone = before.filter(({ id, isStored }) => isStored === true && !kept.has(id));
    before = items;
    for (const { id } of gone) void files.removeOriginal(id);
  });
  workThrough(store, () => store.get().items.find(({ isStored }) => isStored === null), copy);
};

/** Saves records when they change; progress does not change them. */
const saveRecords = (store: AppStore, files: LibraryFiles, onFailure: (cause: unknown) => void): void => {
  let saved = recordsOf(store.get());
  const write = createLatestWriter((text: string | null) => files.writeRecords(text).catch(onFailure));
  store.subscribe(() => {
    const text = recordsOf(store.get());
    if (text === saved) return;
    saved = text;
    write(text);
  });
};

/** Whether leaving the page now would lose an added file. */
export const hasUnstored = ({ items }: AppState): boolean => items.some(({ isStored }) => isStored !== true);

/**
 * Restores an earlier visit, and from then on stores the state on disk.
 *
 * @returns names of files that an earlier visit could not store
 */
export const startLibrary = async (
  store: AppStore,
  files: LibraryFiles,
  onFailure: (cause: unknown) => void,
): Promise<readonly string[]> => {
  const found = await readLibrary(files).catch((cause: unknown) => {
    onFailure(cause);
    return cause instanceof SyntaxError ? undefined : 'unreadable';
  });
  // Without a record, or with a damaged one, no file can be restored. One that cannot be read now may be readable later.
  if (found === undefined) await files.restoreResults([]).catch(onFailure);
  copyOriginals(store, files);
  saveRecords(store, files, onFailure);
  if (found === undefined || found === 'unreadable') return [];
  store.send({ type: 'restored', ...found.state });
  return found.lost;
};
