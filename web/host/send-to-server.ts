import type { ClientResponse, SendRequest } from '#shared/api/client';
import { headerValue } from '#shared/api/http/header-text';
import { MEANT_FOR_SERVER } from './page-worker';

const formOf = (part: string, file: File): FormData => {
  const form = new FormData();
  form.append(part, file, file.name);
  return form;
};

const sendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, headerValue(text)]));

/** Asks the server that this page came from, and no other. @param url a path */
export const fetchFromServer = (url: string, headers: Readonly<Record<string, string>>, init?: RequestInit) =>
  fetch(url, {
    ...init,
    headers: { ...sendable(headers), ...MEANT_FOR_SERVER },
    credentials: 'omit',
    cache: 'no-store',
  });

/**
 * Sends to the server that this page came from, and to no other: addresses are paths.
 *
 * @param filePart name of the form's part that carries a file
 */
export const createServerSend =
  (filePart: string): SendRequest<File> =>
  async ({ method, url, headers, file, signal }) => {
    const response = await fetchFromServer(url, headers, {
      method,
      ...(file ? { body: formOf(filePart, file) } : {}),
      ...(signal ? { signal } : {}),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };

const isJson = ({ headers }: ClientResponse): boolean =>
  (headers['content-type'] ?? '').startsWith('application/json');

/**
 * Whether a server answers the API where this page came from; a host of files alone answers something else.
 *
 * @param path of something that any service answers with JSON, be it a refusal
 */
export const answersApi = (send: SendRequest<File>, path: string): Promise<boolean> =>
  send({ method: 'GET', url: path, headers: {} }).then(isJson, () => false);
