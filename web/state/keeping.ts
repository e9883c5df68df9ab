import { createStore, type Store } from './store';

/** How long this tab's pictures stay on this machine. */
export type Keeping =
  /** Until the tab is closed; a reload leaves them. */
  | 'visit'
  /** Until somebody clears them. */
  | 'kept'
  /** As `visit`: others, which another tab has or had, are those that stay. */
  | 'elsewhere'
  /** As long as the page is on the screen: this browser gives no folder. */
  | 'memory';

/** The tab's folder on disk, as far as it is of interest here. */
interface Folder {
  keeping(): Exclude<Keeping, 'memory'>;
  keep(isKept: boolean): void;
}

/** What the page says of the pictures that it keeps, and the switch for that. */
export interface Library {
  readonly keeping: Pick<Store<Keeping, never>, 'get' | 'subscribe'>;
  keep(isKept: boolean): void;
  /** Names of files that an earlier visit had no room for, until somebody has read it. */
  readonly lost: Pick<Store<readonly string[], never>, 'get' | 'subscribe'>;
  dismissLost(): void;
}

export const createLibrary = (folder: Folder | undefined, lostNames: readonly string[]): Library => {
  const keeping = createStore<Keeping, Keeping>((_, next) => next, folder?.keeping() ?? 'memory');
  const lost = createStore<readonly string[], readonly string[]>((_, next) => next, lostNames);
  const look = (): void => keeping.send(folder?.keeping() ?? 'memory');
  // Another tab may have decided, too.
  addEventListener('storage', look);
  return {
    keeping,
    keep: (isKept) => {
      folder?.keep(isKept);
      look();
    },
    lost,
    dismissLost: () => lost.send([]),
  };
};
