import { stat } from 'node:fs/promises';
import type { System } from '#shared/ports/system';

/** Pause between two looks at watched folders. Polling works on network shares, too. */
export const POLL_MS = 2_000;
/** A file is taken when its size and the time of its change have stood still for so long: before, it may be half written. */
export const SETTLE_MS = 5_000;

export interface WatchClock extends Pick<System, 'elapsedMs'> {
  /** Ends early when the signal aborts, and never rejects. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** Decides which files of a folder that fills up are processed now. */
export interface SettledFiles {
  /** @param state changes when the file changes. @returns whether it has settled and was not taken before */
  takes(path: string, state: string): boolean;
}

interface Known {
  readonly state: string;
  readonly sinceMs: number;
  readonly isTaken: boolean;
}

export const createSettledFiles = ({ elapsedMs }: Pick<WatchClock, 'elapsedMs'>): SettledFiles => {
  const known = new Map<string, Known>();
  return {
    takes: (path, state) => {
      const before = known.get(path);
      if (before?.state !== state) {
        known.set(path, { state, sinceMs: elapsedMs(), isTaken: false });
        return false;
      }
      if (before.isTaken || elapsedMs() - before.sinceMs < SETTLE_MS) return false;
      known.set(path, { ...before, isTaken: true });
      return true;
    },
  };
};

/** @returns undefined where the file is gone, as temporary files of copying programs are */
export const fileStateOf = async (path: string): Promise<string | undefined> => {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return [size, mtimeMs, ino].join(' ');
  } catch {
    return undefined;
  }
};
