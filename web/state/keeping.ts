import { createValue, type Readable } from './store';

/** How long this tab's files stay on this machine. */
export type Keeping =
  /** Until the tab is closed; they survive a reload. */
  | 'visit'
  /** Until the user removes them. */
  | 'kept'
  /** Like `visit`, because another tab has or had the kept files. */
  | 'elsewhere'
  /** As long as the page is open: this browser provides no folder. */
  | 'memory';

/** The functions of the tab's folder that are needed here. */
interface Folder {
  keeping(): Exclude<Keeping, 'memory'>;
  keep(isKept: boolean): void;
}

/** State and switch for keeping the files. */
export interface Library {
  readonly keeping: Readable<Keeping>;
  keep(isKept: boolean): void;
  /** Names of files that an earlier visit could not store, until the user dismisses the notice. */
  readonly lost: Readable<readonly string[]>;
  dismissLost(): void;
}

export const createLibrary = (folder: Folder | undefined, lostNames: readonly string[]): Library => {
  const keeping = createValue<Keeping>(folder?.keeping() ?? 'memory');
  const lost = createValue<readonly string[]>(lostNames);
  const update = (): void => keeping.send(folder?.keeping() ?? 'memory');
  // Another tab may have changed it.
  addEventListener('storage', update);
  return {
    keeping,
    keep: (isKept) => {
      folder?.keep(isKept);
      update();
    },
    lost,
    dismissLost: () => lost.send([]),
  };
};
