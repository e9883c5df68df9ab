import { pageHeaders } from '#shared/domain/page-policy';
import { type OfflineFile, type StoredFile, TO_SERVER_HEADER, type WorkerMessage } from './protocol';

const send = self.fetch.bind(self);

/** Reports each request that leaves to all pages of Veil. */
const report = async (method: string, url: string, bytes: number): Promise<void> => {
  const { origin, pathname, search, href } = new URL(url);
  const address = origin === location.origin ? pathname + search : href;
  const message: WorkerMessage = { type: 'veil-sent', method, address, bytes };
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

/** Counts a request for a public model, which its own worker sends: this one may connect only to the page's origin. */
export const countModelRequest = ({ method, url }: Request): Promise<void> => report(method, url, 0);

/** Sends a request that is marked for the server, without the mark. */
export const fetchFromServer = (request: Request): Promise<Response> => {
  const headers = new Headers(request.headers);
  headers.delete(TO_SERVER_HEADER);
  return fetchFromNetwork(new Request(request, { headers }));
};

declare const self: ServiceWorkerGlobalScope;
/* Replaced by the build. */
declare const VEIL_FILES: readonly OfflineFile[];
declare const VEIL_VERSION: string;

/** Used once, because the build inserts the whole value at each occurrence of the name. */
const FILES = VEIL_FILES;

const SHELL_PREFIX = 'veil-shell-';
const SHELL = SHELL_PREFIX + VEIL_VERSION;
/** Models and runtimes. Their URLs contain their hash, so they are shared by all versions. */
const LARGE = 'veil-large';
/** The current version and the previous one, which open tabs may still use. */
const KEPT_SHELLS = 2;

const filesByPath = new Map(FILES.map((file) => [file.path, file]));
const addressOf = (path: string): string => new URL(path, self.registration.scope).href;
const cacheOf = ({ group }: OfflineFile): string => (group === 'shell' ? SHELL : LARGE);

export const isFile = (path: string): boolean => filesByPath.has(path);

/** Adds the headers that the project's own server sends, so that isolation and policy apply on any host. */
const withOurHeaders = (response: Response, path: string): Response => {
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'set-cookie']) headers.delete(name);
  for (const [name, value] of Object.entries(pageHeaders(path))) headers.set(name, value);
  return new Response(response.body, { headers });
};

const load = async ({ path, integrity, group }: OfflineFile): Promise<Response> => {
  // URLs of models and runtimes contain their hash, so the browser's HTTP cache may answer.
  const cache = group === 'shell' ? 'no-cache' : 'default';
  const response = await fetchFromNetwork(new Request(addressOf(path), { integrity, cache }));
  if (!response.ok) throw new Error(`${path} could not be loaded (status ${response.status})`);
  return withOurHeaders(response, path);
};

const find = async (file: OfflineFile): Promise<Response | undefined> =>
  (await caches.open(cacheOf(file))).match(addressOf(file.path));

const store = async (file: OfflineFile): Promise<void> => {
  const cache = await caches.open(cacheOf(file));
  await cache.put(addressOf(file.path), await load(file));
};

/** Stores the files that the page needs to open: all or none. */
export const storeShell = async (): Promise<void> => {
  await Promise.all(FILES.filter(({ group }) => group === 'shell').map(store));
};

/** Returns a stored file. A missing file is loaded, and stored if there is room. */
export const serveFile = async (path: string): Promise<Response> => {
  const file = filesByPath.get(path);
  if (!file) return Response.error();
  const stored = await find(file);
  if (stored) return stored;
  const response = await load(file);
  const cache = await caches.open(cacheOf(file));
  await cache.put(addressOf(path), response.clone()).catch((cause: unknown) => {
    console.error(`${path} could not be stored`, cause);
  });
  return response;
};

/** @returns whether the file is stored now */
export const storeFile = async (path: string): Promise<boolean> => {
  const file = filesByPath.get(path);
  if (!file) return false;
  if (await find(file)) return true;
  return store(file).then(
    () => true,
    () => false,
  );
};

export const listFiles = (): Promise<readonly StoredFile[]> =>
  Promise.all(FILES.map(async (file) => ({ ...file, isStored: (await find(file)) !== undefined })));

/** Removes files that neither this version nor the previous one needs. */
export const removeOldCaches = async (): Promise<void> => {
  // `keys` returns the caches in the order of their creation.
  const others = (await caches.keys()).filter((name) => name.startsWith(SHELL_PREFIX) && name !== SHELL);
  await Promise.all(others.slice(0, -(KEPT_SHELLS - 1)).map((name) => caches.delete(name)));
  const large = await caches.open(LARGE);
  const known = new Set(FILES.map(({ path }) => addressOf(path)));
  const gone = (await large.keys()).filter(({ url }) => !known.has(url));
  await Promise.all(gone.map((request) => large.delete(request)));
};

/** Returns a file of any stored version, for tabs that still run an earlier one. */
export const findEarlier = (request: Request): Promise<Response | undefined> => caches.match(request);
