/** Tells readers of a task when its record or progress has changed. */
export interface TaskChanges {
  notify(id: string): void;
  /** Ids of the tasks that have readers. */
  followed(): readonly string[];
  /**
   * @param signal wakes the reader as well
   * @returns counts the changes of a task from now on; call `end` when they are of no interest any more
   */
  follow(id: string, signal: AbortSignal): FollowedTask;
}

export interface FollowedTask {
  /** Resolves at the first change since the last call, or when the signal aborts. */
  changed(): Promise<void>;
  end(): void;
}

export const createTaskChanges = (): TaskChanges => {
  const followers = new Map<string, Set<() => void>>();
  return {
    followed: () => [...followers.keys()],
    notify: (id) => followers.get(id)?.forEach((wake) => wake()),
    follow: (id, signal) => {
      let hasChanged = signal.aborted;
      let resume = (): void => undefined;
      const wake = (): void => {
        hasChanged = true;
        resume();
      };
      const all = followers.get(id) ?? new Set();
      followers.set(id, all.add(wake));
      signal.addEventListener('abort', wake);
      return {
        changed: async () => {
          if (!hasChanged) await new Promise<void>((resolve) => (resume = resolve));
          hasChanged = signal.aborted;
        },
        end: () => {
          signal.removeEventListener('abort', wake);
          all.delete(wake);
          if (all.size === 0) followers.delete(id);
        },
      };
    },
  };
};
