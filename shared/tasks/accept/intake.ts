import { acceptUpload, type Submission } from './accept-upload';
import { idempotencyOf, type IdempotencyKeys } from './idempotency';
import { outcomeOf, type Outcome } from '../run/run-task';
import type { Runner } from '../run/runner';
import type { Task } from '../../domain/task';
import type { TaskPorts } from '../base/task-ports';
import type { ServiceSettings } from '../base/settings';
import type { TaskRecords } from '../base/task-records';

/** How much a service has to do. */
export interface ServiceLoad {
  /** Something is being processed or about to be. */
  readonly isBusy: boolean;
  /** As many tasks wait or run as may. */
  readonly isFull: boolean;
}

/** Throws where an upload is refused under the present load. */
export type Admit = (load: ServiceLoad) => void;

/** Where uploads become tasks, once each. */
export interface Intake {
  load(): ServiceLoad;
  /** See `TaskService`. */
  submit(
    submission: Submission,
    admit?: Admit,
  ): Promise<{ readonly task: Task; readonly outcome: Promise<Outcome> }>;
}

export const createIntake = (
  ports: TaskPorts,
  { maxQueue }: Pick<ServiceSettings, 'maxQueue'>,
  records: TaskRecords,
  keys: IdempotencyKeys,
  runner: Runner,
): Intake => {
  /** Number of uploads that are about to be tasks. */
  let accepting = 0;
  const load = (): ServiceLoad => {
    const unfinished = accepting + runner.count();
    return { isBusy: unfinished > 0, isFull: maxQueue !== undefined && unfinished >= maxQueue };
  };

  /** Of a task that was accepted before. First whether it runs: its record is final once it does not. */
  const outcomeLater = async (id: string): Promise<Outcome> => {
    const running = runner.outcome(id);
    if (running) return running;
    const task = await records.get(id);
    return task ? outcomeOf(task) : { kind: 'deleted' };
  };
  return {
    load,
    submit: async (submission, admit = () => undefined) => {
      let outcome: Promise<Outcome> | undefined;
      try {
        const idempotency = await idempotencyOf(submission, ports.system);
        const task = await keys.once(idempotency, async () => {
          admit(load());
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
