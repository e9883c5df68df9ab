import { TaskStopped } from '#shared/tasks/run/task-clock';
import { pause } from '#shared/tasks/base/repeat';
import type { ClusterPorts } from './cluster-ports';
import type { TaskEvent } from '#shared/domain/task';
import { isProgress, type KeptClaim } from '#shared/tasks/jobs/run-claim';
import { StoreUnavailable, type Claim } from '#shared/tasks/base/job-store';

/** Interval of heartbeats: deletions and cancellations reach the work within this time. */
export const HEARTBEAT_MS = 1_000;
/**
 * Work is aborted after this time without a confirmed heartbeat. Shorter than the time after which another worker may
 * claim the same work (45 s), so that two workers rarely do the same.
 */
const MAX_SILENCE_MS = 30_000;
/** The end of work is tried to be stored until then. */
const MAX_COMPLETION_MS = 40_000;

/** Work that is kept alive by heartbeats. */
export interface KeptAlive {
  /** Aborts with a `TaskStopped` when the right to work has ended, or by `stop`. */
  readonly signal: AbortSignal;
  /** Aborts the work. Heartbeats continue. */
  stop(reason: TaskStopped): void;
  /** Ends the heartbeats. Resolves when none runs any more. */
  end(): Promise<void>;
  /**
   * Puts the end of the work on record, after the last heartbeat: again and again while the store does not answer.
   *
   * @returns false also if it did not answer for long
   */
  conclude<T>(store: () => Promise<T>): Promise<T | false>;
}

/**
 * Sends a heartbeat every second until `end`.
 *
 * @param beat false: the right to work has ended. If it rejects for half a minute, the work is aborted
 */
export const keepAlive = (
  beat: () => Promise<boolean>,
  { system, timer, log }: Pick<ClusterPorts, 'system' | 'timer' | 'log'>,
): KeptAlive => {
  const work = new AbortController();
  const ended = new AbortController();
  let confirmedAtMs = system.elapsedMs();
  const silenceMs = (): number => system.elapsedMs() - confirmedAtMs;
  const beatOnce = async (): Promise<void> => {
    try {
      if (await beat()) confirmedAtMs = system.elapsedMs();
      else work.abort(new TaskStopped('deletion'));
    } catch (error) {
      if (silenceMs() <= MAX_SILENCE_MS) return;
      log.error('Work was aborted because the database does not answer.', error);
      work.abort(new TaskStopped('shutdown'));
    }
  };
  const keep = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await pause(HEARTBEAT_MS, timer, ended.signal);
      if (!ended.signal.aborted) await beatOnce();
    }
  };
  const kept = keep();
  const end = async (): Promise<void> => {
    ended.abort();
    await kept;
  };
  return {
    signal: work.signal,
    stop: (reason) => work.abort(reason),
    end,
    conclude: async (store) => {
      await end();
      for (;;) {
        try {
          return await store();
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
          if (silenceMs() > MAX_COMPLETION_MS) return false;
          await pause(HEARTBEAT_MS, timer, new AbortController().signal);
        }
      }
    },
  };
};

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
  const { conclude, ...kept } = keepAlive(beat, { system, timer, log });
  return {
    ...kept,
    report: (event) => void events.push(event),
    complete: async (last, folders) => {
      await kept.end();
      const all = [...take(), ...last];
      return conclude(() => store.complete(claim, all, folders));
    },
  };
};
