import { failureOf, type Failure, type FailureKind } from '../../domain/failure';
import { hasPendingEdits } from '../../domain/task';
import type { ServiceSettings } from '../base/settings';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { startClock, timedEngine, type TaskClock } from '../run/task-clock';
import { INTERRUPTED_EDITS_SENTENCE } from '../run/interruptions';
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
  /** A client stopped them; the result is unchanged. */
  | { readonly kind: 'stopped' }
  /** Later edits have replaced them. */
  | { readonly kind: 'replaced' }
  /** The host stops; its next start applies them. */
  | { readonly kind: 'put-off' };

export const EDIT_FAULT_SENTENCE = 'Something went wrong inside the service while it applied the edits.';

/** Sentences about edits where those about files do not fit. */
const EDIT_SENTENCES: Partial<Record<FailureKind, string>> = {
  fault: EDIT_FAULT_SENTENCE,
  interrupted: INTERRUPTED_EDITS_SENTENCE,
};

/** The failure that an error of edits stands for. */
export const editFailureOf = (error: unknown): Failure => {
  const failure = failureOf(error);
  const sentence = EDIT_SENTENCES[failure.kind];
  return sentence === undefined ? failure : { ...failure, sentence };
};

type EndOfEdits =
  | { readonly type: 'edit-applied' | 'edit-stopped' }
  | { readonly type: 'edit-failed'; readonly error: string };

/** What one run of edits needs. */
export interface EditRun {
  readonly id: string;
  readonly ports: TaskPorts;
  readonly settings: ServiceSettings;
  readonly records: TaskRecords;
  readonly onProgress: EditPorts['onProgress'];
  /** Aborted with a {@link TaskStopped}. */
  readonly abort: AbortController;
  /** Whether no later edits wait, whose state the record shows already. */
  readonly isLast: () => boolean;
}

const apply = (
  { body, request }: WantedEdits,
  { id, ports, settings, onProgress, abort: { signal } }: EditRun,
): Promise<boolean> => {
  const editPorts: EditPorts = { ports, settings, onProgress, signal };
  return request.kind === 'image'
    ? editImage(id, body, request.edits, editPorts)
    : editVideo(id, body, request.edits, editPorts);
};

/**
 * Records how edits ended, and removes them from the waiting ones. In this order: after a crash in between, the record
 * shows the end, and edits that it does not show as waiting are ignored.
 */
export const recordEnd = async (
  { id, ports, records, isLast }: Pick<EditRun, 'id' | 'ports' | 'records' | 'isLast'>,
  event: EndOfEdits,
): Promise<void> => {
  const atMs = ports.system.nowMs();
  await records.apply(id, { ...event, atMs, laterWait: !isLast() });
  // Later edits, which may have come meanwhile, have the same file.
  if (isLast()) await removeWantedEdits(ports.storage, id);
};

const fail = async (run: EditRun, sentence: string): Promise<EditOutcome> => {
  await recordEnd(run, { type: 'edit-failed', error: sentence });
  return { kind: 'failed', sentence };
};

const endStopped = async (run: EditRun): Promise<EditOutcome> => {
  const { reason } = run.abort.signal as { readonly reason: unknown };
  const { cause, limitMs } = reason instanceof TaskStopped ? reason : new TaskStopped('deletion');
  switch (cause) {
    case 'timeout':
      return fail(run, timeoutSentence(limitMs));
    case 'cancellation':
      await recordEnd(run, { type: 'edit-stopped' });
      return { kind: 'stopped' };
    case 'replacement':
      return { kind: 'replaced' };
    case 'shutdown':
      return { kind: 'put-off' };
    case 'deletion':
      return { kind: 'deleted' };
  }
};

const applyWanted = async (run: EditRun): Promise<EditOutcome> => {
  const { id, ports, records, abort } = run;
  const wanted = await readWantedEdits(ports.storage, id);
  if (!wanted) throw new Error('The edits of a task are gone.');
  await records.apply(id, { type: 'edit-started' });
  const isApplied = await ports.engine.retrying(() => apply(wanted, run), abort.signal);
  if (!isApplied) return { kind: 'deleted' };
  await recordEnd(run, { type: 'edit-applied' });
  return { kind: 'applied' };
};

/** Applies the edits that are stored for a task, and records how they ended. */
export const runEdits = async (run: EditRun): Promise<EditOutcome> => {
  const { id, ports, settings, records, abort } = run;
  let clock: TaskClock | undefined;
  try {
    abort.signal.throwIfAborted();
    const task = await records.get(id);
    // Deleted; or the disk refused the edits, and a file of earlier ones may still be there.
    if (!task || !hasPendingEdits(task)) return { kind: 'deleted' };
    clock = startClock(task, settings, ports.timer, (reason) => abort.abort(reason));
    return await applyWanted({ ...run, ports: { ...ports, engine: timedEngine(ports.engine, clock) } });
  } catch (error) {
    if (abort.signal.aborted) return endStopped(run);
    ports.log.error('Edits failed.', error);
    return fail(run, editFailureOf(error).sentence);
  } finally {
    clock?.end();
  }
};
