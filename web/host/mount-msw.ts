import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { API_PREFIX } from '#shared/api/routes';
import type { Host } from './compose';
import { asFetchResponse } from './fetch-response';
import { receiveForm } from './receive-form';

const isApiPath = (path: string): boolean => path.startsWith(API_PREFIX) || `${path}/` === API_PREFIX;

/**
 * Answers the API's addresses inside the page, whether or not a server stands behind it: a script's
 * `fetch` gets what the server would answer, and nothing leaves the machine.
 *
 * A predicate, not a path pattern: a pattern fails at a malformed percent sign, which is dispatch's to judge.
 */
export const mountApi = async ({ answer, storage }: Pick<Host, 'answer' | 'storage'>): Promise<void> => {
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
    serviceWorker: { url: new URL('mockServiceWorker.js', document.baseURI).href },
  });
  // For scripts that want to know from when on the page itself answers.
  document.documentElement.dataset['api'] = 'page';
};
