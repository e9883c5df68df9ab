import { ApiError } from '#shared/api/contract/errors';
import { respondError } from '#shared/api/http/respond';
import { asFetchResponse } from '../host/fetch-response';
import { MSW_ACTIVATE, type WorkerMessage } from './protocol';

declare const self: ServiceWorkerGlobalScope;
/**
 * Variable of `mockServiceWorker.js`: ids of the pages that answer. Empty after the browser has restarted the worker.
 */
declare const activeClientIds: Set<string>;

/** The part of a `FetchEvent` that msw's listener uses. */
interface AnswerableEvent {
  readonly request: Request;
  readonly clientId: string;
  respondWith(response: Response | Promise<Response>): void;
}

type Listener = (event: unknown) => unknown;

/** Time in which a page must report that it answers. A page that has just been opened is busy. */
const WAIT_MS = 3_000;

const refuse = (): Response => asFetchResponse(respondError(new ApiError('no_page')));

/**
 * Runs msw's worker script inside this one, and replaces its event registration and its `fetch`.
 *
 * Otherwise it would replace a running version at once, unregister the worker with the last tab, and send requests that
 * no page answers to the network.
 */
const loadMsw = (): ReadonlyMap<string, Listener> => {
  const listeners = new Map<string, Listener>();
  const { addEventListener } = self;
  self.addEventListener = ((type: string, listener: Listener) => listeners.set(type, listener)) as never;
  self.fetch = () => Promise.resolve(refuse());
  self.importScripts('./mockServiceWorker.js');
  self.addEventListener = addEventListener;
  return listeners;
};
const msw = loadMsw();

const waiting = new Set<() => void>();

/** Passes messages to msw. For a closing page, only its id is removed. */
export const onMswMessage = async (event: ExtendableMessageEvent): Promise<void> => {
  if (event.data === 'CLIENT_CLOSED') {
    activeClientIds.delete((event.source as Client | null)?.id ?? '');
    return;
  }
  await msw.get('message')?.(event);
  if (event.data === MSW_ACTIVATE) for (const wake of waiting) wake();
};

/** Asks the page that sent a request whether it answers; for a request of a worker, asks all pages. */
const callPages = async (clientId: string): Promise<void> => {
  const message: WorkerMessage = { type: 'veil-who-answers' };
  const pages = await self.clients.matchAll({ type: 'window' });
  const own = pages.filter(({ id }) => id === clientId);
  for (const page of own.length > 0 ? own : pages) page.postMessage(message);
};

const someoneAnswers = async (clientId: string): Promise<boolean> => {
  const sender = await self.clients.get(clientId);
  const answers = (): boolean =>
    sender?.type === 'window' ? activeClientIds.has(clientId) : activeClientIds.size > 0;
  if (answers()) return true;
  return new Promise((resolve) => {
    const settle = (isAnswered: boolean): void => {
      waiting.delete(check);
      clearTimeout(timer);
      resolve(isAnswered);
    };
    const check = (): void => void (answers() && settle(true));
    const timer = setTimeout(() => settle(false), WAIT_MS);
    waiting.add(check);
    void callPages(clientId);
  });
};

/** Lets a page answer an API request. If no page answers, the request is refused and never sent to the network. */
export const answerByPage = async ({ request, clientId }: FetchEvent): Promise<Response> => {
  if (!(await someoneAnswers(clientId))) return refuse();
  return new Promise((resolve, reject) => {
    let isTaken = false;
    const event: AnswerableEvent = {
      request,
      clientId,
      respondWith: (response) => {
        isTaken = true;
        Promise.resolve(response).then(resolve, reject);
      },
    };
    msw.get('fetch')?.(event);
    if (!isTaken) resolve(refuse());
  });
};
