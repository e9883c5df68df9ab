import { ApiError } from '#shared/api/contract/errors';
import { respondError } from '#shared/api/http/respond';
import { asFetchResponse } from '../host/fetch-response';
import { MSW_ACTIVATE, type WorkerMessage } from './protocol';

declare const self: ServiceWorkerGlobalScope;
/** Of `mockServiceWorker.js`: pages that answer. Empty whenever the browser has stopped the worker in between. */
declare const activeClientIds: Set<string>;

/** The part of a `FetchEvent` that msw's listener uses. */
interface AnswerableEvent {
  readonly request: Request;
  readonly clientId: string;
  respondWith(response: Response | Promise<Response>): void;
}

type Listener = (event: unknown) => unknown;

/** How long a page has to say that it answers; one that has just been opened is busy. */
const WAIT_MS = 3_000;

const refuse = (): Response => asFetchResponse(respondError(new ApiError('no_page')));

/**
 * Runs msw's worker script inside this one, with its listeners caught and its network taken away.
 *
 * Left alone it would replace a running version at once, unregister the worker with the last tab, and pass on to the
 * network whatever no page answers.
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

/** Hands msw its messages; a closing page is merely forgotten. */
export const onMswMessage = async (event: ExtendableMessageEvent): Promise<void> => {
  if (event.data === 'CLIENT_CLOSED') {
    activeClientIds.delete((event.source as Client | null)?.id ?? '');
    return;
  }
  await msw.get('message')?.(event);
  if (event.data === MSW_ACTIVATE) for (const wake of waiting) wake();
};

/** Asks the page that sent a request, or any page where a worker sent it, whether it answers. */
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
      waiting.delete(look);
      clearTimeout(timer);
      resolve(isAnswered);
    };
    const look = (): void => void (answers() && settle(true));
    const timer = setTimeout(() => settle(false), WAIT_MS);
    waiting.add(look);
    void callPages(clientId);
  });
};

/** Lets a page answer a request of the API; a request that no page answers is refused, never sent on. */
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
