import { acceptUpload, type Submission } from './accept-upload';
import { createIdempotencyKeys, idempotencyOf } from './idempotency';
import { outcomeOf, type Outcome } from '../run/run-task';
import type { Runner } from '../run/runner';
import type { Task } from '../../domain/task';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';

/** Where uploads become tasks, once each. */
export interface Intake {
  /** Uploads that are about to be tasks. */
  count(): number;
  /** See `TaskService`. */
  isRepeated(idempotencyKey: string): Promise<boolean>;
  submit(
    submission: Submission,
    admit: () => void,
  ): Promise<{ readonly task: Task; readonly outcome: Promise<Outcome> }>;
  /** Knows a task of an earlier run of the host again by its key. */
  remember(task: Task): void;
  /** Runs a task that is on record. @returns how it ended; never rejects */
  enqueue(task: Task): Promise<Outcome>;
}

/** @param onEnded called for each task that no longer waits or runs */
export const createIntake = (
  ports: TaskPorts,
  records: TaskRecords,
  runner: Runner,
  onEnded: (id: string) => void,
): Intake => {
  const keys = createIdempotencyKeys(records, ports.system);
  /** Of tasks that wait or run. */
  const outcomes = new Map<string, Promise<Outcome>>();
  let accepting = 0;

  const enqueue = (task: Task): Promise<Outcome> => {
    const outcome = runner.enqueue(task).finally(() => {
      outcomes.delete(task.id);
      onEnded(task.id);
    });
    outcomes.set(task.id, outcome);
    return outcome;
  };
  /** First whether it runs: its record is final once it does not. */
  const outcomeLater = async (id: string): Promise<Outcome> => {
    const running = outcomes.get(id);
    if (running) return running;
    const task = await records.get(id);
    return task ? outcomeOf(task) : { kind: 'deleted' };
  };
  return {
    count: () => accepting,
    isRepeated: (idempotencyKey) => keys.isKnown(idempotencyKey),
    remember: (task) => keys.remember(task),
    enqueue,
    submit: async (submission, admit) => {
      let outcome: Promise<Outcome> | undefined;
      try {
        const idempotency = await idempotencyOf(submission, ports.system);
        const task = await keys.once(idempotency, async () => {
          admit();
          accepting += 1; // at once, so that the second of two synchronous uploads is refused as busy
          try {
            const accepted = await acceptUpload(submission, idempotency, ports, records);
            outcome = enqueue(accepted);
            return accepted;
          } finally {
            accepting -= 1;
          }
        });
        return { task, outcome: outcome ?? outcomeLater(task.id) };
      } finally {
        if (!outcome) await submission.file.discard();
      }
    },
  };
};
