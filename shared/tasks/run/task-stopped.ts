/** Why a task's work is stopped before its end. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';

  constructor(override readonly cause: 'cancellation' | 'deletion' | 'replacement' | 'shutdown' | 'timeout') {
    super(`The task was stopped: ${cause}.`);
  }
}
