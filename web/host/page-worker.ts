import type { OfflineStore, UpdateSource, TrafficSource } from '../state/service-worker';
import {
  type PageCommand,
  type PageRequest,
  type SentRequest,
  type StoredFile,
  TO_SERVER_HEADER,
  type WorkerMessage,
} from '../service-worker/protocol';

/** The browser's objects that an update needs. */
interface UpdateHost {
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

/** The page's connection to its service worker. */
export interface PageWorker extends OfflineStore, TrafficSource, UpdateSource {
  /** URL of the worker's script. */
  readonly scriptUrl: string;
  /** Resolves when requests of this page pass the worker. @throws if the browser has no service workers */
  readonly ready: Promise<void>;
  /** Files that another app has shared with the page. Each file is returned once. */
  takeShared(): Promise<readonly File[]>;
}

const SCRIPT = 'sw.js';
const CACHE_PREFIX = 'veil-';

const container = (): ServiceWorkerContainer => {
  if (!('serviceWorker' in navigator)) throw new Error('The browser offers no service workers here');
  return navigator.serviceWorker;
};

const command = (worker: ServiceWorker | null, message: PageCommand): void => worker?.postMessage(message);

/** Resolves with the worker that serves this page. A worker that a forced reload bypassed claims the page again. */
const controlled = async (registration: ServiceWorkerRegistration): Promise<ServiceWorker> => {
  const workers = container();
  const changed = new Promise<void>((resolve) => {
    workers.addEventListener('controllerchange', () => resolve(), { once: true });
  });
  if (!workers.controller) {
    command(registration.active, { type: 'veil-claim' });
    await changed;
  }
  if (!workers.controller) throw new Error('The service worker does not serve this page');
  return workers.controller;
};

const asked = <Answer>(worker: ServiceWorker, request: PageRequest): Promise<Answer> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      resolve(data);
      port1.close();
    });
    port1.start();
    worker.postMessage(request, [port2]);
  });

const isSentReport = (data: unknown): data is SentRequest & WorkerMessage =>
  typeof data === 'object' && data !== null && (data as Partial<WorkerMessage>).type === 'veil-sent';

/** Calls `onWaiting` for a version that is waiting now and for each later one. */
const watchForUpdates = (registration: ServiceWorkerRegistration, onWaiting: () => void): void => {
  const note = (): void => {
    if (registration.waiting && container().controller) onWaiting();
  };
  note();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', note);
  });
};

const removeCaches = async (): Promise<void> => {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
};

/**
 * Reports that a page was left. Its folder on disk is removed unless it is kept or the tab soon shows a page of Veil
 * again.
 */
export const reportClosedTab = (folder: string, isKept: boolean): void =>
  command(container().controller, { type: 'veil-left', folder, isKept });

/** Registers the worker after the first paint, so that storing files does not delay the page. */
export const startPageWorker = (): PageWorker => {
  const scriptUrl = new URL(SCRIPT, document.baseURI).href;
  const registered = (async () => container().register(scriptUrl))();
  const controller = registered.then(controlled);
  const ask = async <Answer>(request: PageRequest): Promise<Answer> => asked(await controller, request);
  const ready = controller.then(() => undefined);
  ready.catch(() => undefined);

  return {
    scriptUrl,
    ready,
    list: () => ask<readonly StoredFile[]>({ type: 'veil-list' }),
    store: (path) => ask<boolean>({ type: 'veil-store', path }),
    takeShared: () => ask<readonly File[]>({ type: 'veil-take-shared' }),
    remove: async () => {
      await (await registered).unregister();
      await removeCaches();
    },
    onSent: (listener) => {
      void controller.then(() => {
        container().addEventListener('message', ({ data }) => {
          if (isSentReport(data)) listener(data);
        });
      });
    },
    onUpdate: (listener) => {
      void controller.then(async () => {
        container().addEventListener('controllerchange', listener);
        watchForUpdates(await registered, listener);
      });
    },
    update: async () =>
      startWaitingVersion({
        registration: await registered,
        container: container(),
        isReachable: () =>
          fetch(scriptUrl, { cache: 'no-store' }).then(
            ({ ok }) => ok,
            () => false,
          ),
        reload: () => location.reload(),
      }),
  };
};

/** Header of requests to the server. The worker refuses API requests without it. */
export const TO_SERVER_HEADERS: Readonly<Record<string, string>> = { [TO_SERVER_HEADER]: '1' };
