import pLimit from 'p-limit';
import type { ServiceSettings } from '../base/settings';
import { StorageUnavailable } from '../base/storage-unavailable';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { removeFilesAfter } from '../files/task-files';
import { TaskStopped } from '../run/task-stopped';
import { timeoutSentence } from '../run/task-timeout';
import { editImage, type EditPorts } from './edit-image';
import { editVideo } from './edit-video';
import { readWantedEdits, removeWantedEdits, type WantedEdits } from './wanted-edits';

/** How edits ended. */
export type EditOutcome =
  | { readonly kind: 'applied' }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'deleted' }
  /** Later edits have replaced them. */
  | { readonly kind: 'replaced' }
  /** The host stops; its next start applies them. */
  | { readonly kind: 'put-off' };

/** Applies edits, one result at a time: they must not multiply memory. */
export interface EditQueue {
  /**
   * Applies the latest stored edits of a task.
   *
   * @param store stores them; called at once, and awaited before they are read
   * @returns `stored` as `store` returned it; `outcome` of them, or of later ones that replaced them, never rejects
   */
  enqueue(id: string, store: () => Promise<void>): QueuedEdits;
  /** Stops edits of a task that is being deleted. @returns whether they wait or run */
  cancel(id: string): boolean;
  /** Progress of running edits, 0..1. */
  progressOf(id: string): number | undefined;
  /** Begins no edits any more; running ones are put off. @returns when none runs */
  stop(): Promise<void>;
}

interface QueuedEdits {
  readonly stored: Promise<void>;
  readonly outcome: Promise<EditOutcome>;
}

const FAULT_SENTENCE = 'Something went wrong inside the service while it applied the edits.';

/** One task's edits, from the first that waits to the last that ends. */
interface Turn {
  readonly abort: AbortController;
  readonly outcome: Promise<EditOutcome>;
  /** Edits that were accepted after the turn began need another turn. */
  hasBegun: boolean;
  /** Settles when the edits of this turn are stored. */
  stored: Promise<unknown>;
}

/** Waits until the edits are stored, also those that are accepted during the wait. */
const untilStored = async (turn: Turn): Promise<void> => {
  let awaited: unknown;
  while (awaited !== turn.stored) {
    awaited = turn.stored;
    await turn.stored;
  }
};

/** @param onChange called when the progress of a task's edits has changed */
export const createEditQueue = (
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  onChange: (id: string) => void,
): EditQueue => {
  const queue = pLimit(1);
  /** The last turn of each task. */
  const turns = new Map<string, Turn>();
  const running = new Set<Promise<EditOutcome>>();
  const progress = new Map<string, number>();
  let isStopped = false;

  const apply = (id: string, { body, request }: WantedEdits, signal: AbortSignal): Promise<boolean> => {
    const onProgress = (share: number): void => {
      progress.set(id, share);
      onChange(id);
    };
    const editPorts: EditPorts = { ports, settings, onProgress, signal };
    return request.kind === 'image'
      ? editImage(id, body, request.edits, editPorts)
      : editVideo(id, body, request.edits, editPorts);
  };
  const isLast = (id: string, turn: Turn): boolean => turns.get(id) === turn;

  const fail = async (id: string, turn: Turn, sentence: string): Promise<EditOutcome> => {
    if (isLast(id, turn)) {
      await removeWantedEdits(ports.storage, id);
      await records.apply(id, { type: 'edit-failed', error: sentence });
    }
    return { kind: 'failed', sentence };
  };
  const stopped = async (id: string, turn: Turn): Promise<EditOutcome> => {
    const { reason } = turn.abort.signal as { readonly reason: unknown };
    const cause = reason instanceof TaskStopped ? reason.cause : 'deletion';
    if (cause === 'replacement') return { kind: 'replaced' };
    if (cause === 'timeout') return fail(id, turn, timeoutSentence(settings.taskTimeoutMs ?? 0));
    return { kind: cause === 'shutdown' ? 'put-off' : 'deleted' };
  };
  const run = async (id: string, turn: Turn): Promise<EditOutcome> => {
    const { signal } = turn.abort;
    await untilStored(turn);
    turn.hasBegun = true;
    const { taskTimeoutMs } = settings;
    const endTimeout =
      taskTimeoutMs === undefined
        ? undefined
        : ports.timer?.after(taskTimeoutMs, () => turn.abort.abort(new TaskStopped('timeout')));
    try {
      signal.throwIfAborted();
      const wanted = await readWantedEdits(ports.storage, id);
      if (!wanted) {
        // The host went down after it had applied them, and before it could record that.
        await records.apply(id, { type: 'edit-applied' });
        return { kind: 'applied' };
      }
      await records.apply(id, { type: 'edit-started' });
      if (!(await apply(id, wanted, signal))) return { kind: 'deleted' };
      if (isLast(id, turn)) {
        await removeWantedEdits(ports.storage, id);
        await records.apply(id, { type: 'edit-applied' });
      }
      return { kind: 'applied' };
    } catch (error) {
      if (signal.aborted) return stopped(id, turn);
      ports.log.error('Edits failed.', error);
      return fail(id, turn, error instanceof StorageUnavailable ? error.failure.sentence : FAULT_SENTENCE);
    } finally {
      endTimeout?.();
    }
  };
  const end = async (id: string, turn: Turn): Promise<void> => {
    progress.delete(id);
    if (isLast(id, turn)) turns.delete(id);
    if ((await records.get(id))?.status === 'done') return;
    // The task was deleted in the meantime: what was just written must go as well.
    await removeFilesAfter(async () => undefined, id, ports);
  };
  const take = async (id: string, turn: Turn): Promise<EditOutcome> => {
    const outcome = await run(id, turn).catch((error: unknown): EditOutcome => {
      ports.log.error('The failure of edits could not be saved.', error);
      return { kind: 'failed', sentence: FAULT_SENTENCE };
    });
    await end(id, turn).catch((error: unknown) =>
      ports.log.error('Files of a deleted task were not removed; the next start removes them.', error),
    );
    return outcome;
  };

  const finalOutcome = async (id: string, turn: Turn): Promise<EditOutcome> => {
    const outcome = await turn.outcome;
    const next = outcome.kind === 'replaced' ? turns.get(id) : undefined;
    return next ? finalOutcome(id, next) : outcome;
  };

  return {
    enqueue: (id, store) => {
      const stored = store();
      const settled = stored.catch(() => undefined);
      const waiting = turns.get(id);
      if (waiting && !waiting.hasBegun) {
        waiting.stored = Promise.all([waiting.stored, settled]);
        return { stored, outcome: finalOutcome(id, waiting) };
      }
      // The last edits win: those that are being applied are of no use any more.
      waiting?.abort.abort(new TaskStopped('replacement'));
      const abort = new AbortController();
      if (isStopped) abort.abort(new TaskStopped('shutdown'));
      const turn: Turn = {
        abort,
        outcome: settled.then(() => queue(() => take(id, turn))).finally(() => running.delete(turn.outcome)),
        hasBegun: false,
        stored: settled,
      };
      turns.set(id, turn);
      running.add(turn.outcome);
      return { stored, outcome: finalOutcome(id, turn) };
    },
    cancel: (id) => {
      const turn = turns.get(id);
      turn?.abort.abort(new TaskStopped('deletion'));
      return turn !== undefined;
    },
    progressOf: (id) => progress.get(id),
    stop: async () => {
      isStopped = true;
      for (const { abort } of turns.values()) abort.abort(new TaskStopped('shutdown'));
      await Promise.all(running);
    },
  };
};
