import type { Log } from '#shared/ports/system';
import type { Lifecycle } from './lifecycle';

/** Pause between two attempts. */
export const RETRY_MS = 30_000;

/**
 * Loads the models at the start. If that fails, tries again until it succeeds, a task has loaded them, or the server
 * stops: a load balancer that respects `/readyz` sends no task to a server without models.
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
      log.error('The models could not be loaded; the server tries again.', error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
};
