import { FAULT, type Failure, type FailureKind } from './failure';
import type { Task } from './task';

/** How earlier versions named kinds of failures. */
const EARLIER_KINDS = {
  unreadable: 'bad-file',
  'timed-out': 'timeout',
  unstorable: 'no-storage',
  fault: 'fault',
} as const satisfies Record<string, FailureKind>;

/** A stored task of this version or an earlier one, which stored the sentence of a failure beside its kind. */
type TaskRecord = Omit<Task, 'failure'> & {
  readonly failure?: Failure | keyof typeof EARLIER_KINDS | null;
  readonly error?: string | null;
};

/** Version 0.1 stored no kind: only the sentence marks a fault of the service. */
const kindOf = (sentence: string, kind: keyof typeof EARLIER_KINDS | undefined): FailureKind => {
  if (kind !== undefined) return EARLIER_KINDS[kind];
  return sentence === FAULT.sentence ? 'fault' : 'bad-file';
};

/** The task of a stored record, whichever version wrote it. The record stays as it is until the task changes. */
export const taskFromRecord = ({ error, failure, ...task }: TaskRecord): Task => {
  if (typeof failure === 'object') return { ...task, failure };
  const sentence = error ?? null;
  return { ...task, failure: sentence === null ? null : { kind: kindOf(sentence, failure), sentence } };
};
