import { handleClosedTab } from './closed-tabs';
import {
  findEarlier,
  isFile,
  listFiles,
  serveFile,
  storeFile,
  storeShell,
  removeOldCaches,
  countModelRequest,
  fetchFromNetwork,
  fetchFromServer,
} from './files';
import { answerByPage, onMswMessage } from './page-api';
import { TO_SERVER_HEADER, type PageCommand, type PageRequest } from './protocol';
import { fileAskedFor, responderFor, type Responder } from './route-request';

/** Maximum number of files per share. */
const MAX_FILES = 500;
/** Files that no page has taken by then are dropped. */
const KEEP_MS = 60_000;

/** Shared files that no page has taken yet. Held in memory: nothing is stored before the page decides. */
let shared: readonly File[] = [];
let collected: () => void = () => undefined;

const filesIn = (form: FormData): readonly File[] =>
  [...form.values()].filter((value) => value instanceof File).slice(0, MAX_FILES);

/** Keeps this worker alive until the page has taken the shared files, or a time limit ends. */
const untilCollected = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      shared = [];
      resolve();
    }, KEEP_MS);
    collected = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/**
 * Receives files that another app shares with the installed page, and opens the page, which then requests them.
 *
 * Every share request is answered here, so that it never reaches the network.
 */
const receiveShare = async (event: FetchEvent): Promise<Response> => {
  const form = await event.request.formData().catch(() => new FormData());
  shared = [...shared, ...filesIn(form)];
  event.waitUntil(untilCollected());
  return Response.redirect(self.registration.scope, 303);
};

/** Returns the shared files once; later calls return none. */
const takeShared = (): readonly File[] => {
  const files = shared;
  shared = [];
  collected();
  return files;
};

declare const self: ServiceWorkerGlobalScope;

const ANSWERS: Readonly<Record<Exclude<Responder, 'model-hub'>, (event: FetchEvent) => Promise<Response>>> = {
  'page-api': answerByPage,
  server: ({ request }) => fetchFromServer(request),
  file: ({ request }) => {
    const path = fileAskedFor(new URL(request.url), self.registration.scope, request.mode === 'navigate');
    return serveFile(path ?? '');
  },
  share: receiveShare,
  network: async ({ request }) => (await findEarlier(request)) ?? fetchFromNetwork(request),
  refused: async () => Response.error(),
};

const answer = (event: FetchEvent): void => {
  const { url, method, mode, headers } = event.request;
  const asked = {
    url: new URL(url),
    method,
    isNavigation: mode === 'navigate',
    isForServer: headers.has(TO_SERVER_HEADER),
  };
  const way = responderFor(asked, self.registration.scope, isFile);
  // Without an answer, the sender's own policy applies instead of this worker's.
  if (way === 'model-hub') event.waitUntil(countModelRequest(event.request));
  else event.respondWith(ANSWERS[way](event));
};

const obey = async (command: PageCommand | PageRequest, port: MessagePort | undefined): Promise<void> => {
  switch (command.type) {
    case 'veil-take-over':
      return self.skipWaiting();
    case 'veil-claim':
      return self.clients.claim();
    case 'veil-left':
      return handleClosedTab(command.folder, command.isKept);
    case 'veil-take-shared':
      return port?.postMessage(takeShared());
    case 'veil-list':
      return port?.postMessage(await listFiles());
    case 'veil-store':
      return port?.postMessage(await storeFile(command.path));
  }
};

const isOurs = (data: unknown): data is PageCommand | PageRequest =>
  typeof data === 'object' && data !== null && String((data as { type?: unknown }).type).startsWith('veil-');

// A new version waits until the user accepts it. The first version starts at once.
self.addEventListener('install', (event) => event.waitUntil(storeShell()));
self.addEventListener('activate', (event) =>
  event.waitUntil(removeOldCaches().then(() => self.clients.claim())),
);
self.addEventListener('fetch', answer);
self.addEventListener('message', (event) => {
  event.waitUntil(isOurs(event.data) ? obey(event.data, event.ports[0]) : onMswMessage(event));
});
