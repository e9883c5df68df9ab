import { TO_SERVER_HEADER, type WorkerMessage } from './protocol';

declare const self: ServiceWorkerGlobalScope;

const send = self.fetch.bind(self);

/** Reports each request that leaves to all pages of Veil. */
const report = async (method: string, url: string, bytes: number): Promise<void> => {
  const { pathname, search } = new URL(url);
  const message: WorkerMessage = { type: 'veil-sent', method, address: pathname + search, bytes };
  for (const client of await self.clients.matchAll({ type: 'window', includeUncontrolled: true })) {
    client.postMessage(message);
  }
};

const bodyBytes = async (request: Request): Promise<number> =>
  request.method === 'GET' || request.method === 'HEAD' ? 0 : (await request.clone().blob()).size;

/** Sends a request to the network. All requests pass here, so that each one is counted before it leaves. */
export const fetchFromNetwork = async (request: Request): Promise<Response> => {
  await report(request.method, request.url, await bodyBytes(request));
  return send(request);
};

/** Sends a request that is marked for the server, without the mark. */
export const fetchFromServer = (request: Request): Promise<Response> => {
  const headers = new Headers(request.headers);
  headers.delete(TO_SERVER_HEADER);
  return fetchFromNetwork(new Request(request, { headers }));
};
