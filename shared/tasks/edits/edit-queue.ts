import pLimit from 'p-limit';
import type { ServiceSettings } from '../base/settings';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { removeFilesAfter } from '../files/task-files';
import { TaskStopped } from '../run/task-stopped';
import { EDIT_FAULT_SENTENCE, runEdits, type EditOutcome } from './run-edits';

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

/** One task's edits, from the first that waits to the last that ends. */
interface Turn {
  readonly abort: AbortController;
  readonly outcome: Promise<EditOutcome>;
  /** Edits that were accepted after the turn began need another turn. */
  hasBegun: boolean;
  /** Settles when the edits of this turn are stored. */
  stored: Promise<unknown>;
}

const newTurn = (stored: Promise<unknown>, take: (turn: Turn) => Promise<EditOutcome>): Turn => {
  const turn: Turn = {
    abort: new AbortController(),
    outcome: stored.then(() => take(turn)),
    hasBegun: false,
    stored,
  };
  return turn;
};

/** Waits until the edits are stored, also those that are accepted during the wait. */
const untilStored = async (turn: Turn): Promise<void> => {
  let awaited: unknown;
  while (awaited !== turn.stored) {
    awaited = turn.stored;
    await turn.stored;
  }
};

type RunTurn = (id: string, turn: Turn, isLast: () => boolean) => Promise<EditOutcome>;

/** Runs single turns. */
const createTurnRunner = (
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  onProgress: (id: string, share: number) => void,
): RunTurn => {
  /** The task was deleted in the meantime: what was just written must go as well. */
  const removeUnlessHeld = async (id: string): Promise<void> => {
    if ((await records.get(id))?.status === 'done') return;
    await removeFilesAfter(async () => undefined, id, ports);
  };
  return async (id, turn, isLast) => {
    await untilStored(turn);
    turn.hasBegun = true;
    const { abort } = turn;
    const run = {
      ...{ id, ports, settings, records, abort, isLast },
      onProgress: (share: number) => onProgress(id, share),
    };
    const outcome = await runEdits(run).catch((error: unknown): EditOutcome => {
      ports.log.error('The failure of edits could not be saved.', error);
      return { kind: 'failed', sentence: EDIT_FAULT_SENTENCE };
    });
    await removeUnlessHeld(id).catch((error: unknown) =>
      ports.log.error('Files of a deleted task were not removed; the next start removes them.', error),
    );
    return outcome;
  };
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

  const runTurn = createTurnRunner(ports, settings, records, (id, share) => {
    progress.set(id, share);
    onChange(id);
  });
  const take = async (id: string, turn: Turn): Promise<EditOutcome> => {
    const isLast = (): boolean => turns.get(id) === turn;
    const outcome = await runTurn(id, turn, isLast);
    progress.delete(id);
    if (isLast()) turns.delete(id);
    return outcome;
  };
  const begin = (id: string, stored: Promise<unknown>): Turn => {
    const turn = newTurn(stored, (own) => queue(() => take(id, own)));
    void turn.outcome.finally(() => running.delete(turn.outcome));
    if (isStopped) turn.abort.abort(new TaskStopped('shutdown'));
    turns.set(id, turn);
    running.add(turn.outcome);
    return turn;
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
      return { stored, outcome: finalOutcome(id, begin(id, settled)) };
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
