import type { Log } from '#shared/ports/log';
import { RELOAD_MS } from '../service-worker/protocol';
import { diskFolder, type DiskFolder } from './disk-folder';
import { holdLock, holdLockIfFree } from './hold-lock';

/**
 * How long this tab's files stay: for the visit, until somebody clears them, or, because another folder is the one
 * that stays, for the visit too.
 */
type Keeping = 'visit' | 'kept' | 'elsewhere';

/** This tab's own folder on disk. Tabs share none: each holds its folder's lock for as long as it is open. */
export interface TabFolder {
  /** Made when it is not there. @returns undefined where the browser gives none (private windows, old browsers) */
  open(): Promise<DiskFolder | undefined>;
  /** The folder as an earlier visit, or this tab before a reload, left it; undefined where there is nothing. */
  reopen(): Promise<DiskFolder | undefined>;
  keeping(): Keeping;
  /** Whether the folder outlives the tab. Nothing happens where another folder is the one that does. */
  keep(isKept: boolean): void;
}

/** Of all folders, and of their locks. */
export const FOLDER_PREFIX = 'veil-';
/** In the tab's own memory, which a reload leaves alone. */
const TAB_KEY = 'veil-folder';
/** There too: the folder of a page that was left in an orderly way. A tab opened from this one, with a copy, sees none. */
const LEFT_KEY = 'veil-folder-left';
/** The one folder that stays. */
const KEPT_KEY = 'veil-kept-folder';
/** For each folder: since when nobody looks at its tab. Browsers let go of such tabs alone to save memory. */
const HIDDEN_KEY = 'veil-hidden-since-';
/** A working day: a tab that comes back later finds its pictures gone. */
const DISCARDED_MS = 12 * 60 * 60 * 1_000;
/** A page that has just been left, as for a reload, lets its lock go by then, however busy the machine is. */
const LEFT_LOCK_WAIT_MS = 30_000;
/** Of a page that said no goodbye: it ended without, or it is another tab's and still there. */
const LOCK_WAIT_MS = 1_000;

/** Storage can be switched off; nothing is remembered then. */
const remembered = (storage: 'localStorage' | 'sessionStorage', key: string): string | null => {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
};
const remember = (storage: 'localStorage' | 'sessionStorage', key: string, value: string | null): void => {
  try {
    if (value === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, value);
  } catch {
    // As above.
  }
};

const isOffered = (): boolean =>
  typeof FileSystemFileHandle !== 'undefined' &&
  'createWritable' in FileSystemFileHandle.prototype &&
  'locks' in navigator;

const isHeld = async (name: string): Promise<boolean> => {
  if (await holdLockIfFree(name)) return true;
  const isLeft = remembered('sessionStorage', LEFT_KEY) === name;
  return holdLock(name, AbortSignal.timeout(isLeft ? LEFT_LOCK_WAIT_MS : LOCK_WAIT_MS)).then(
    () => true,
    // A page that is busy starting may not have heard in time that it has the lock.
    () => holdLockIfFree(name),
  );
};

/** The tab's folder from before a reload; else the one that stays, if no other tab has it; else a new one. */
const claim = async (): Promise<string> => {
  const known = [remembered('sessionStorage', TAB_KEY), remembered('localStorage', KEPT_KEY)];
  for (const name of new Set(known)) if (name !== null && (await isHeld(name))) return name;
  const name = `${FOLDER_PREFIX}${crypto.randomUUID()}`;
  await holdLock(name);
  return name;
};

/** Removes a folder unless a page has it. */
const removeUnheld = (root: FileSystemDirectoryHandle, name: string): Promise<void> =>
  navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await root.removeEntry(name, { recursive: true });
    remember('localStorage', HIDDEN_KEY + name, null);
  });

/** Notes while nobody looks at the tab; a browser that lets go of it then runs nothing of the page any more. */
const noteHidden = (name: string): void => {
  const note = (isHidden: boolean): void =>
    remember('localStorage', HIDDEN_KEY + name, isHidden ? String(Date.now()) : null);
  let isLeaving = false;
  const look = (): void => note(document.hidden && !isLeaving);
  look();
  document.addEventListener('visibilitychange', look);
  // Closed, or about to be loaded again: not let go of. Only after that the page counts as hidden.
  addEventListener('pagehide', () => {
    isLeaving = true;
    look();
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
    look();
  });
};

/** Whether the browser may have let go of the folder's tab, which takes it up again when somebody looks at it. */
const mayComeBack = (name: string): boolean => {
  const since = Number(remembered('localStorage', HIDDEN_KEY + name) ?? Number.NaN);
  return Date.now() - since < DISCARDED_MS;
};

/** Names of tabs' folders that no tab has, nor may come back to. */
const findOrphans = async (root: FileSystemDirectoryHandle): Promise<readonly string[]> => {
  const { held = [] } = await navigator.locks.query();
  const taken = new Set([...held.map((lock) => lock.name), remembered('localStorage', KEPT_KEY)]);
  const names: string[] = [];
  for await (const name of root.keys()) names.push(name);
  return names.filter((name) => name.startsWith(FOLDER_PREFIX) && !taken.has(name) && !mayComeBack(name));
};

/** Removes what tabs left that are closed: one that is just loaded again has claimed its folder after a while. */
const removeOrphans = async (root: FileSystemDirectoryHandle, log: Log): Promise<void> => {
  const before = await findOrphans(root);
  if (before.length === 0) return;
  await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
  for (const name of await findOrphans(root)) {
    if (!before.includes(name)) continue;
    await removeUnheld(root, name).catch((cause: unknown) =>
      log.error('The files of a closed tab could not be removed', cause),
    );
  }
};

/**
 * Finds the folder that is this tab's.
 *
 * @param onLeave called with the folder's name when the page goes, be it for a reload, and with whether its files stay
 * @returns undefined for a browser that knows no such folders
 */
export const claimTabFolder = async (
  log: Log,
  onLeave: (name: string, isKept: boolean) => void,
): Promise<TabFolder | undefined> => {
  if (!isOffered()) return undefined;
  const name = await claim();
  remember('sessionStorage', TAB_KEY, name);
  remember('sessionStorage', LEFT_KEY, null);
  noteHidden(name);
  const keeping = (): Keeping => {
    const kept = remembered('localStorage', KEPT_KEY);
    if (kept === null) return 'visit';
    return kept === name ? 'kept' : 'elsewhere';
  };
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) return; // kept by the browser for the way back, it goes on with its files
    remember('sessionStorage', LEFT_KEY, name);
    onLeave(name, keeping() === 'kept');
  });
  const rooted = navigator.storage.getDirectory();
  void rooted.then((root) => removeOrphans(root, log)).catch(() => undefined); // said by `open`
  let opening: Promise<DiskFolder | undefined> | undefined;
  return {
    open: () => {
      opening ??= rooted
        .then(async (root) => diskFolder(await root.getDirectoryHandle(name, { create: true })))
        .catch((cause: unknown) => {
          log.error('This browser gives the page no folder on disk; results stay in memory', cause);
          return undefined;
        });
      return opening;
    },
    reopen: () =>
      rooted
        .then((root) => root.getDirectoryHandle(name))
        .then(diskFolder)
        .catch(() => undefined), // there is none: nothing was kept
    keeping,
    keep: (isKept) => {
      if (keeping() === 'elsewhere') return;
      remember('localStorage', KEPT_KEY, isKept ? name : null);
      // Asked for, so that the browser does not make room with it; not needed.
      if (isKept) void navigator.storage.persist().catch(() => false);
    },
  };
};
