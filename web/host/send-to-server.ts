import type { ClientResponse, SendRequest } from '#shared/api/client';
import { headerValue } from '#shared/api/http/http';
import { TO_SERVER_HEADERS } from './page-worker';

const formOf = (part: string, files: readonly File[]): FormData => {
  const form = new FormData();
  for (const file of files) form.append(part, file, file.name);
  return form;
};

const sendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, headerValue(text)]));

/** Sends a request to the server that this page was loaded from. @param url a path */
export const fetchFromServer = (url: string, headers: Readonly<Record<string, string>>, init?: RequestInit) =>
  fetch(url, {
    ...init,
    headers: { ...sendable(headers), ...TO_SERVER_HEADERS },
    credentials: 'omit',
    cache: 'no-store',
  });

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

/**
 * Sends requests to the server that this page was loaded from, and to no other: URLs are paths.
 *
 * @param filePart name of each form part that contains a file
 * @param detectionsPart name of the one with detections; absent: none are sent
 */
export const createServerSend =
  (filePart: string, detectionsPart?: string): SendRequest<File> =>
  async ({ method, url, headers, files, detections, body, signal }) => {
    const form = files && formOf(filePart, files);
    if (detections && detectionsPart !== undefined) form?.append(detectionsPart, detections, detections.name);
    const sent = form ?? (body as Uint8Array<ArrayBuffer> | undefined);
    const response = await fetchFromServer(url, headers, {
      method,
      ...(sent ? { body: sent } : {}),
      ...(signal ? { signal } : {}),
      // Deletions are also sent when the page closes.
      keepalive: method === 'DELETE',
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body ? piecesOf(response.body) : new Uint8Array(0),
      file: async () => {
        const blob = await response.blob();
        return { sizeBytes: blob.size, handle: blob };
      },
    };
  };

const isJson = ({ headers }: ClientResponse): boolean =>
  (headers['content-type'] ?? '').startsWith('application/json');

/**
 * Returns whether a server answers the API at the address of this page. A static host answers with something else.
 *
 * @param path of an endpoint that every service answers with JSON, even when it refuses the request
 */
export const answersApi = (send: SendRequest<File>, path: string): Promise<boolean> =>
  send({ method: 'GET', url: path, headers: {} }).then(isJson, () => false);
