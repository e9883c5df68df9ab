import type { TaskEvent } from '#shared/domain/task';
import { isProgress, type KeptClaim } from '#shared/tasks/jobs/run-claim';
import { pause } from '#shared/tasks/base/repeat';
import { StoreUnavailable, type Claim } from '#shared/tasks/base/job-store';
import type { ClusterPorts } from './cluster-ports';
import { HEARTBEAT_MS, keepAlive } from './keep-alive';

/** The last events of a claim are tried to be stored until then. */
const MAX_COMPLETION_MS = 40_000;

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
