import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { dispatch } from '#shared/api/dispatch';
import { ApiError } from '#shared/api/contract/errors';
import { isApiPath } from '#shared/api/contract/basics';
import type { UploadPart } from '#shared/api/http/http';
import type { BlobStorage } from '../adapters/storage';
import { MSW_ACTIVATE, type WorkerMessage } from '../service-worker/protocol';
import type { Host } from './compose';
import { asFetchResponse } from './fetch-response';
import type { PageWorker } from './page-worker';

const MULTIPART = /^multipart\/form-data/i;

const readForm = async (request: Request): Promise<FormData> => {
  if (!MULTIPART.test(request.headers.get('content-type') ?? '')) throw new ApiError('not_multipart');
  try {
    return await request.formData();
  } catch {
    throw new ApiError('upload_broken');
  }
};

/** Reads the parts of a multipart body. A text field is passed on like a file, so that dispatch sees every part. */
const receiveForm = async (request: Request, storage: BlobStorage): Promise<readonly UploadPart[]> =>
  [...(await readForm(request))].map(([name, value]) => {
    const file = typeof value === 'string' ? new Blob([value], { type: 'text/plain' }) : value;
    const filename = typeof value === 'string' ? null : value.name;
    return { name, filename, contentType: file.type, file: storage.receive(file) };
  });

/** Reads a body that carries no file. @throws ApiError `body_too_large`, `upload_broken` */
const receiveBody = async (request: Request, maxBytes: number): Promise<Uint8Array> => {
  const bytes = await request.arrayBuffer().catch(() => {
    throw new ApiError('upload_broken');
  });
  if (bytes.byteLength > maxBytes) throw new ApiError('body_too_large', maxBytes);
  return new Uint8Array(bytes);
};

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
  { service, storage }: Pick<Host, 'service' | 'storage'>,
  { ready, scriptUrl }: Pick<PageWorker, 'ready' | 'scriptUrl'>,
): Promise<void> => {
  await ready;
  const isApiCall = ({ request }: { request: Request }): boolean => isApiPath(new URL(request.url).pathname);
  const worker = setupWorker(
    http.all(isApiCall, async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const asked = {
        method: request.method,
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        receiveUpload: () => receiveForm(request, storage),
        receiveBody: (maxBytes: number) => receiveBody(request, maxBytes),
        signal: request.signal,
      };
      return asFetchResponse(await dispatch(asked, service));
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
