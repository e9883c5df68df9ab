import type { Log } from '#shared/ports/system';

/** Pause between two attempts. */
export const RETRY_MS = 30_000;

/**
 * Loads the models at the start. If that fails, tries again until it succeeds, a task has loaded them, or the server
 * stops: a load balancer that respects `/readyz` sends no task to a server without models. A worker of a cluster takes
 * tasks before that, which load what they need.
 *
 * @returns when no further attempt is made
 */
export const loadModels = async (
  load: () => Promise<unknown>,
  { phase, modelsLoaded }: Lifecycle,
  log: Log,
): Promise<void> => {
  while (phase() === 'loading') {
    try {
      await load();
      modelsLoaded();
    } catch (error) {
      // A stop ends the loading, which is no fault.
      if (phase() === 'stopping') return;
      log.error('The models could not be loaded; another attempt follows.', error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
};

/** Whether the server can process tasks now. */
export type Phase = 'loading' | 'ready' | 'stopping';

export interface Lifecycle {
  readonly phase: () => Phase;
  modelsLoaded(): void;
  /** Enters the last phase. */
  stopping(): void;
}

export const createLifecycle = (): Lifecycle => {
  let phase: Phase = 'loading';
  return {
    phase: () => phase,
    modelsLoaded: () => {
      if (phase === 'loading') phase = 'ready';
    },
    stopping: () => {
      phase = 'stopping';
    },
  };
};
