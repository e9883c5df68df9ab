import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { isApiPath } from '#shared/api/contract/prefix';
import { MSW_ACTIVATE, type WorkerMessage } from '../service-worker/protocol';
import type { Host } from './compose';
import { asFetchResponse } from './fetch-response';
import type { PageWorker } from './page-worker';
import { receiveBody } from './receive-body';
import { receiveForm } from './receive-form';

const isQuestion = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && (data as Partial<WorkerMessage>).type === 'veil-who-answers';

/** Tells the worker again that this page answers. Browsers stop idle workers, which then forget it and ask. */
const answerQuestions = (): void => {
  const worker = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener('message', ({ data, source }) => {
    // Ignore workers of other versions.
    if (isQuestion(data) && source === worker) worker?.postMessage(MSW_ACTIVATE);
  });
};

/**
 * Answers API requests inside the page, whether or not a server exists: a script's `fetch` gets the response that the
 * server would send, and no data leaves the machine.
 *
 * Uses a predicate, not a path pattern: a pattern fails on a malformed percent sign, which dispatch must handle.
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
        receiveBody: (maxBytes) => receiveBody(request, maxBytes),
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
  // Signals to scripts that the page answers from now on.
  document.documentElement.dataset['api'] = 'page';
};
