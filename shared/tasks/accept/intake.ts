import { acceptUpload, type Submission } from './accept-upload';
import { idempotencyOf, type IdempotencyKeys } from './idempotency';
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
  submit(
    submission: Submission,
    admit?: () => void,
  ): Promise<{ readonly task: Task; readonly outcome: Promise<Outcome> }>;
}

export const createIntake = (
  ports: TaskPorts,
  records: TaskRecords,
  keys: IdempotencyKeys,
  runner: Runner,
): Intake => {
  let accepting = 0;

  /** Of a task that was accepted before. First whether it runs: its record is final once it does not. */
  const outcomeLater = async (id: string): Promise<Outcome> => {
    const running = runner.outcome(id);
    if (running) return running;
    const task = await records.get(id);
    return task ? outcomeOf(task) : { kind: 'deleted' };
  };
  return {
    count: () => accepting,
    submit: async (submission, admit = () => undefined) => {
      let outcome: Promise<Outcome> | undefined;
      try {
        const idempotency = await idempotencyOf(submission, ports.system);
        const task = await keys.once(idempotency, async () => {
          admit();
          accepting += 1; // at once, so that the second of two synchronous uploads is refused as busy
          try {
            const accepted = await acceptUpload(submission, idempotency, ports, records);
            outcome = runner.enqueue(accepted);
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
