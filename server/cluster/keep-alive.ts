import { TaskStopped } from '#shared/tasks/run/task-clock';
import { pause } from '#shared/tasks/base/repeat';
import type { ClusterPorts } from './cluster-ports';

/** Interval of heartbeats: deletions and cancellations reach the work within this time. */
export const HEARTBEAT_MS = 1_000;
/**
 * Work is aborted after this time without a confirmed heartbeat. Shorter than the time after which another worker may
 * claim the same work (45 s), so that two workers rarely do the same.
 */
const MAX_SILENCE_MS = 30_000;

/** Work that is kept alive by heartbeats. */
export interface KeptAlive {
  /** Aborts with a `TaskStopped` when the right to work has ended, or by `stop`. */
  readonly signal: AbortSignal;
  /** Aborts the work. Heartbeats continue. */
  stop(reason: TaskStopped): void;
  /** Ends the heartbeats. Resolves when none runs any more. */
  end(): Promise<void>;
  /** Time since the last confirmed heartbeat. */
  silenceMs(): number;
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
  return {
    signal: work.signal,
    stop: (reason) => work.abort(reason),
    end: async () => {
      ended.abort();
      await kept;
    },
    silenceMs,
  };
};
