/** Why a task's work is stopped before its end. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';

  /** @param limitMs the time limit that was exceeded, where that is the cause */
  constructor(
    override readonly cause: 'cancellation' | 'deletion' | 'replacement' | 'shutdown' | 'timeout',
    readonly limitMs = 0,
  ) {
    super(`The task was stopped: ${cause}.`);
  }
}
