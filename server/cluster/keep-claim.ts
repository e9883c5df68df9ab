import type { TaskEvent } from '#shared/domain/task';
import type { TaskStopped } from '#shared/tasks/run/task-stopped';
import type { ClusterPorts } from './cluster-ports';
import { HEARTBEAT_MS, keepAlive } from './keep-alive';
import { pause } from './repeat';
import { StoreUnavailable, type Claim, type ResultFolders } from './shared-task-store';
import type { Job } from './work-queue';

/** The last events of a claim are tried to be stored until then. */
const MAX_COMPLETION_MS = 40_000;

/** A claim that is kept alive. */
export interface KeptClaim {
  /** Aborts with a `TaskStopped` when the claim has ended. */
  readonly signal: AbortSignal;
  /** Stores an event with the next heartbeat. Of several `progressed` events, only the last one is stored. */
  report(event: TaskEvent): void;
  /**
   * Ends the claim with its last events.
   *
   * @returns the task's next job, if there is one; false if the claim had ended before, or the database did not answer
   */
  complete(
    events: readonly TaskEvent[],
    folders?: ResultFolders,
  ): Promise<false | { readonly next: Job | undefined }>;
  /** Ends the heartbeats of a claim that others have ended. */
  end(): Promise<void>;
  /** Aborts the work for another reason. */
  stop(reason: TaskStopped): void;
}

const isProgress = ({ type }: TaskEvent): boolean => type === 'progressed' || type === 'edit-progressed';

/** Confirms a claim every second until it is completed, and aborts the work if the claim has ended. */
export const keepClaim = (
  claim: Claim,
  { store, system, timer, log }: Pick<ClusterPorts, 'store' | 'system' | 'timer' | 'log'>,
): KeptClaim => {
  let events: TaskEvent[] = [];
  const take = (): TaskEvent[] => {
    const lastProgress = events.findLast(isProgress);
    const taken = events.filter((event) => !isProgress(event) || event === lastProgress);
    events = [];
    return taken;
  };

  const beat = async (): Promise<boolean> => {
    const sent = take();
    try {
      return await store.heartbeat(claim, sent);
    } catch (error) {
      events = [...sent, ...events];
      throw error;
    }
  };
  const { signal, stop, end, silenceMs } = keepAlive(beat, { system, timer, log });
  const complete: KeptClaim['complete'] = async (last, folders) => {
    await end();
    const all = [...take(), ...last];
    for (;;) {
      try {
        return await store.complete(claim, all, folders);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        if (silenceMs() > MAX_COMPLETION_MS) return false;
        await pause(HEARTBEAT_MS, timer, new AbortController().signal);
      }
    }
  };
  return {
    signal,
    report: (event) => void events.push(event),
    complete,
    end,
    stop,
  };
};
