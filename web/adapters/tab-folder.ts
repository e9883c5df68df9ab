import type { Log } from '#shared/ports/system';
import { RELOAD_MS } from '../service-worker/protocol';
import { diskFolder, providesFolders, unlessMissing, type DiskFolder } from './disk-folder';
import { holdLock, holdLockIfFree } from './hold-lock';

/**
 * How long this tab's files stay: for the visit; until the user removes them; or for the visit because another folder
 * is the kept one.
 */
type Keeping = 'visit' | 'kept' | 'elsewhere';

/** This tab's own folder on disk. Tabs share no folder: each tab holds its folder's lock while it is open. */
export interface TabFolder {
  /** Opens or creates the folder. @returns undefined if the browser provides none (private windows, old browsers) */
  open(): Promise<DiskFolder | undefined>;
  /** The folder as an earlier visit, or this tab before a reload, left it; undefined if there is none. */
  reopen(): Promise<DiskFolder | undefined>;
  keeping(): Keeping;
  /** Sets whether the folder is kept after the tab is closed. Has no effect while another folder is the kept one. */
  keep(isKept: boolean): void;
}

/** Prefix of the names of all folders and locks. */
export const FOLDER_PREFIX = 'veil-';
/** Key in the tab's session storage, which survives a reload. */
const TAB_KEY = 'veil-folder';
/**
 * Session key for the folder of a page that was closed, reloaded or left in this tab. A tab that was duplicated while
 * its page was open does not have this key.
 */
const LEFT_KEY = 'veil-folder-left';
/** Key for the name of the one kept folder. */
const KEPT_KEY = 'veil-kept-folder';
/** Key prefix for the time at which a folder's tab was hidden. Browsers discard only hidden tabs to save memory. */
const HIDDEN_KEY = 'veil-hidden-since-';
/** Twelve hours. After that time the files of a discarded tab are removed. */
const DISCARDED_MS = 12 * 60 * 60 * 1_000;
/**
 * Maximum wait for the folder of a page that was left in this tab: on a busy machine it is slow to release its lock.
 */
const LEFT_LOCK_WAIT_MS = 30_000;
/**
 * Maximum wait for the folder of a page that was not left: it crashed, or it is open in the tab from which this one was
 * duplicated.
 */
const LOCK_WAIT_MS = 1_000;

/** Reads storage, which can be switched off; nothing is remembered then. */
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

const isHeld = async (name: string): Promise<boolean> => {
  if (await holdLockIfFree(name)) return true;
  const isLeft = remembered('sessionStorage', LEFT_KEY) === name;
  return holdLock(name, AbortSignal.timeout(isLeft ? LEFT_LOCK_WAIT_MS : LOCK_WAIT_MS)).then(
    () => true,
    // If the page is busy during its start, the timeout can fire before the free lock is granted.
    () => holdLockIfFree(name),
  );
};

/** Claims the tab's folder from before a reload; else the kept folder, if no other tab has it; else a new one. */
const claim = async (): Promise<string> => {
  const known = [remembered('sessionStorage', TAB_KEY), remembered('localStorage', KEPT_KEY)];
  for (const name of new Set(known)) if (name !== null && (await isHeld(name))) return name;
  const name = `${FOLDER_PREFIX}${crypto.randomUUID()}`;
  await holdLock(name);
  return name;
};

/** Removes a folder unless a page holds its lock. */
const removeUnheld = (root: FileSystemDirectoryHandle, name: string): Promise<void> =>
  navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await root.removeEntry(name, { recursive: true });
    remember('localStorage', HIDDEN_KEY + name, null);
  });

/** Records when the tab is hidden. After the browser discards a tab, no script of the page runs. */
const noteHidden = (name: string): void => {
  const note = (isHidden: boolean): void =>
    remember('localStorage', HIDDEN_KEY + name, isHidden ? String(Date.now()) : null);
  let isLeaving = false;
  const update = (): void => note(document.hidden && !isLeaving);
  update();
  document.addEventListener('visibilitychange', update);
  // The page is closed or reloaded, not discarded. It becomes hidden only after this event.
  addEventListener('pagehide', () => {
    isLeaving = true;
    update();
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
    update();
  });
};

/** Whether the browser may have discarded the folder's tab, which restores the page when the user returns to it. */
const mayComeBack = (name: string): boolean => {
  const since = Number(remembered('localStorage', HIDDEN_KEY + name) ?? Number.NaN);
  return Date.now() - since < DISCARDED_MS;
};

/** Names of folders that no tab holds and that no discarded tab will use again. */
const findOrphans = async (root: FileSystemDirectoryHandle): Promise<readonly string[]> => {
  const { held = [] } = await navigator.locks.query();
  const taken = new Set([...held.map((lock) => lock.name), remembered('localStorage', KEPT_KEY)]);
  const names: string[] = [];
  for await (const name of root.keys()) names.push(name);
  return names.filter((name) => name.startsWith(FOLDER_PREFIX) && !taken.has(name) && !mayComeBack(name));
};

/** Removes folders of closed tabs, after a delay in which a reloaded tab claims its folder. */
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
 * Claims this tab's folder.
 *
 * @param onLeave called with the folder's name, and with whether its files are kept, when the page is left or reloaded
 * @returns undefined if the browser has no private file system
 */
export const claimTabFolder = async (
  log: Log,
  onLeave: (name: string, isKept: boolean) => void,
): Promise<TabFolder | undefined> => {
  if (!providesFolders()) return undefined;
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
    if (persisted) return; // The page is in the back/forward cache and continues with its files when the user returns.
    remember('sessionStorage', LEFT_KEY, name);
    onLeave(name, keeping() === 'kept');
  });
  const rooted = navigator.storage.getDirectory();
  void rooted.then((root) => removeOrphans(root, log)).catch(() => undefined); // `open` logs the failure
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
    reopen: async () => {
      const root = await rooted.catch(() => undefined); // `open` logs the failure
      const folder = await root?.getDirectoryHandle(name).catch(unlessMissing);
      return folder && diskFolder(folder);
    },
    keeping,
    keep: (isKept) => {
      if (keeping() === 'elsewhere') return;
      remember('localStorage', KEPT_KEY, isKept ? name : null);
      // Requests persistent storage, so that the browser does not delete the files. If it refuses, the files are still
      // stored.
      if (isKept) void navigator.storage.persist().catch(() => false);
    },
  };
};
