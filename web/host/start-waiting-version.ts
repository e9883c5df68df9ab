import type { PageCommand } from '../service-worker/protocol';

/** The browser's objects that an update needs. */
export interface UpdateHost {
  readonly registration: Pick<ServiceWorkerRegistration, 'waiting' | 'unregister'>;
  readonly container: Pick<ServiceWorkerContainer, 'addEventListener'>;
  /** @returns whether a reload would be answered by the host of the page */
  isReachable(): Promise<boolean>;
  reload(): void;
}

/** Longer than the earlier version needs to remove the folders of closed tabs (`RELOAD_MS`). */
export const START_LIMIT_MS = 20_000;

/**
 * Starts the waiting version and reloads the page with it. Reloads at once if another tab has started it.
 *
 * On a busy machine, Chromium sometimes does not stop the active version when the waiting one takes over, and starts the
 * waiting one only after five minutes. In that case the registration is removed: the page is reloaded from its host and
 * registers the new version. Stored files are kept. Without a connection the page continues to wait.
 */
export const startWaitingVersion = ({ registration, container, isReachable, reload }: UpdateHost): void => {
  const { waiting } = registration;
  if (!waiting) return reload();
  const registerAgain = async (): Promise<void> => {
    if (!(await isReachable())) return;
    await registration.unregister();
    reload();
  };
  const timer = setTimeout(() => void registerAgain(), START_LIMIT_MS);
  const onStart = (): void => {
    clearTimeout(timer);
    reload();
  };
  container.addEventListener('controllerchange', onStart, { once: true });
  waiting.postMessage({ type: 'veil-take-over' } satisfies PageCommand);
};
