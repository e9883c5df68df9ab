import pLimit from 'p-limit';
import { hasPendingEdits } from '../../domain/task';
import type { ServiceSettings } from '../base/settings';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { removeFilesAfter } from '../files/task-files';
import { TaskStopped } from '../run/task-stopped';
import { EDIT_FAULT_SENTENCE, recordEnd, runEdits, type EditOutcome } from './run-edits';

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
  /** Stops edits that wait or run; the result is unchanged. @returns false if they had ended, or there were none */
  stopEdits(id: string): Promise<boolean>;
  /** Progress of running edits, 0..1. */
  progressOf(id: string): number | undefined;
  /** Begins no edits any more; running ones are put off. @returns when none runs */
  stop(): Promise<void>;
}

interface QueuedEdits {
  readonly stored: Promise<void>;
  readonly outcome: Promise<EditOutcome>;
}

/** What is called when the edits of a task change. */
export interface EditListeners {
  /** Their progress. */
  readonly onChange: (id: string) => void;
  /** They have ended, however they did. */
  readonly onEnded: (id: string) => void;
}

/** One task's edits, from the first that waits to the last that ends. */
interface Turn {
  readonly abort: AbortController;
  readonly outcome: Promise<EditOutcome>;
  /** Edits that were accepted after the turn began need another turn. */
  hasBegun: boolean;
  /** Settles when the edits of this turn are stored. */
  stored: Promise<unknown>;
  /** Of later edits, which replaced those of this turn. */
  next?: Turn;
  /** Ends it before its turn has come. */
  readonly stop: () => void;
  isStopped: boolean;
}

const newTurn = (stored: Promise<unknown>, take: (turn: Turn) => Promise<EditOutcome>): Turn => {
  let endWait = (_outcome: EditOutcome): void => undefined;
  const stopped = new Promise<EditOutcome>((resolve) => (endWait = resolve));
  const turn: Turn = {
    abort: new AbortController(),
    outcome: Promise.race([stopped, stored.then(() => take(turn))]),
    hasBegun: false,
    isStopped: false,
    stored,
    stop: () => {
      turn.isStopped = true;
      endWait({ kind: 'stopped' });
    },
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

/** The outcome of a turn's edits, or of those that replaced them. */
const finalOutcome = async (turn: Turn): Promise<EditOutcome> => {
  const outcome = await turn.outcome;
  return outcome.kind === 'replaced' && turn.next ? finalOutcome(turn.next) : outcome;
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
    if (turn.isStopped) return { kind: 'stopped' };
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

/** @returns whether there is a turn */
const abortTurn = (turn: Turn | undefined, cause: TaskStopped['cause']): boolean => {
  turn?.abort.abort(new TaskStopped(cause));
  return turn !== undefined;
};

/** The turns of a host. */
interface Turns {
  readonly ports: TaskPorts;
  readonly records: TaskRecords;
  readonly turns: Map<string, Turn>;
  readonly current: () => CurrentTurn | undefined;
}

/** The turn that runs. */
type CurrentTurn = Pick<Turn, 'outcome'> & { readonly id: string };

/** See {@link EditQueue.stopEdits}. */
const stopEdits = async (id: string, { ports, records, turns, current }: Turns): Promise<boolean> => {
  const turn = turns.get(id);
  abortTurn(turn, 'cancellation');
  if (turn?.hasBegun) return (await turn.outcome).kind === 'stopped';
  // Without a turn: the disk refused the end of earlier edits, which the record still shows as waiting.
  if (!turn && !hasPendingEdits((await records.get(id)) ?? {})) return false;
  turns.delete(id);
  await recordEnd({ id, ports, records, isLast: () => !turns.has(id) }, { type: 'edit-stopped' });
  turn?.stop();
  // Edits that these replaced may be too late to be stopped.
  const running = current();
  if (running?.id === id) await running.outcome;
  return true;
};

export const createEditQueue = (
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  { onChange, onEnded }: EditListeners,
): EditQueue => {
  const queue = pLimit(1);
  /** The last turn of each task. */
  const turns = new Map<string, Turn>();
  const running = new Set<Promise<EditOutcome>>();
  const progress = new Map<string, number>();
  let isStopped = false;
  let current: CurrentTurn | undefined;

  const runTurn = createTurnRunner(ports, settings, records, (id, share) => {
    progress.set(id, share);
    onChange(id);
  });
  const take = async (id: string, turn: Turn): Promise<EditOutcome> => {
    const isLast = (): boolean => turns.get(id) === turn;
    current = { id, outcome: turn.outcome };
    const outcome = await runTurn(id, turn, isLast);
    progress.delete(id);
    current = undefined;
    if (isLast()) turns.delete(id);
    onEnded(id);
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
  return {
    enqueue: (id, store) => {
      const stored = store();
      const settled = stored.catch(() => undefined);
      const waiting = turns.get(id);
      if (waiting && !waiting.hasBegun) {
        waiting.stored = Promise.all([waiting.stored, settled]);
        return { stored, outcome: finalOutcome(waiting) };
      }
      // The last edits win: those that are being applied are of no use any more.
      waiting?.abort.abort(new TaskStopped('replacement'));
      const turn = begin(id, settled);
      if (waiting) waiting.next = turn;
      return { stored, outcome: finalOutcome(turn) };
    },
    cancel: (id) => abortTurn(turns.get(id), 'deletion'),
    stopEdits: (id) => stopEdits(id, { ports, records, turns, current: () => current }),
    progressOf: (id) => progress.get(id),
    stop: async () => {
      isStopped = true;
      for (const { abort } of turns.values()) abort.abort(new TaskStopped('shutdown'));
      await Promise.all(running);
    },
  };
};
