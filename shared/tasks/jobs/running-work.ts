/** A claim of this process, from its beginning to the last write of its work. */
export interface RunningWork {
  readonly token: string;
  /** Aborts the work with a `TaskStopped`. */
  readonly abort: AbortController;
  /** Resolves when nothing is written any more. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** Its task, or its files, were deleted: nothing that it says counts. */
  isDeleted: boolean;
  /** Later edits have replaced those of the claim. */
  isReplaced: boolean;
  /** Its result is in place and on record. */
  isCompleted: boolean;
}

export const newRunningWork = (token: string): RunningWork => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const abort = new AbortController();
  return { token, abort, ended, end: () => end(), isDeleted: false, isReplaced: false, isCompleted: false };
};
