import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { isApiPath } from '#shared/api/contract/prefix';
import { MSW_ACTIVATE, type WorkerMessage } from '../service-worker/protocol';
import type { Host } from './compose';
import { asFetchResponse } from './fetch-response';
import type { PageWorker } from './page-worker';
import { receiveForm } from './receive-form';

const isQuestion = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && (data as Partial<WorkerMessage>).type === 'veil-who-answers';

/** Browsers stop an idle worker, which then no longer knows that this page answers: it asks, and is told. */
const answerQuestions = (): void => {
  const worker = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener('message', ({ data, source }) => {
    // Another version's worker would not be listened to.
    if (isQuestion(data) && source === worker) worker?.postMessage(MSW_ACTIVATE);
  });
};

/**
 * Answers the API's addresses inside the page, whether or not a server stands behind it: a script's
 * `fetch` gets what the server would answer, and nothing leaves the machine.
 *
 * A predicate, not a path pattern: a pattern fails at a malformed percent sign, which is dispatch's to judge.
 */
export const mountApi = async (
  { answer, storage }: Pick<Host, 'answer' | 'storage'>,
  { ready, scriptUrl }: Pick<PageWorker, 'ready' | 'scriptUrl'>,
): Promise<void> => {
  await ready;
  const isApiCall = ({ request }: { request: Request }): boolean => isApiPath(new URL(request.url).pathname);
  const worker = setupWorker(
    http.all(isApiCall, async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const response = await answer({
        method: request.method,
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        receiveUpload: () => receiveForm(request, storage),
        signal: request.signal,
      });
      return asFetchResponse(response);
    }),
  );
  await worker.start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: scriptUrl },
  });
  answerQuestions();
  // For scripts that want to know from when on the page itself answers.
  document.documentElement.dataset['api'] = 'page';
};
