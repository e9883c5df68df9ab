import { Pool } from 'undici';
import { ROUTES } from '#shared/api/contract/routes';
import { filePart } from '#shared/testing/conformance-steps';
import { asHttp } from '#shared/testing/multipart';

export interface Answer {
  /** Until the last byte. */
  readonly ms: number;
  readonly text: string;
  readonly bytes: number;
  /** Path of the next page, from the header `Link`. */
  readonly next: string | undefined;
}

/** Keeps connections to one process open, as proxies do. */
export interface Client {
  /** @throws if the status is not 200 */
  get(path: string): Promise<Answer>;
  /** Uploads an image without waiting for the result. @returns the id of the task */
  upload(image: Uint8Array, name: string): Promise<{ readonly id: string; readonly ms: number }>;
  close(): Promise<void>;
}

const LINK = /<([^>]+)>; rel="next"/;

const nextOf = (link: unknown, origin: string): string | undefined => {
  const [, address] = LINK.exec(String(link ?? '')) ?? [];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address, origin);
  return pathname + search;
};

export const createClient = (origin: string, connections: number): Client => {
  const pool = new Pool(origin, { connections });
  const send = async (options: Parameters<Pool['request']>[0]): Promise<Answer> => {
    const startMs = performance.now();
    const { statusCode, headers, body } = await pool.request(options);
    const text = await body.text();
    const ms = performance.now() - startMs;
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text}`);
    return { ms, text, bytes: Buffer.byteLength(text), next: nextOf(headers['link'], origin) };
  };
  return {
    get: (path) => send({ method: 'GET', path }),
    upload: async (image, name) => {
      const { url, headers, body } = asHttp({
        method: 'POST',
        url: ROUTES.uploadFile.path,
        headers: { 'x-is-async': 'true' },
        parts: [filePart(image, name)],
      });
      const options = { path: url, headers: { ...headers }, body: body as Buffer };
      const { ms, text } = await send({ method: 'POST', ...options });
      return { ms, id: (JSON.parse(text) as { readonly id: string }).id };
    },
    close: () => pool.close(),
  };
};

/** An image of a bench. */
export interface BenchImage {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Clients that upload in parallel. */
export const PARALLEL = 16;

/** Uploads all images by some clients in parallel, spread over some processes. @returns ids and times in ms */
export const uploadAll = async (
  clients: readonly Client[],
  images: readonly BenchImage[],
  parallel = PARALLEL,
) => {
  const [ids, times]: [string[], number[]] = [[], []];
  let next = 0;
  const run = async (client: Client): Promise<void> => {
    for (let index = next++; index < images.length; index = next++) {
      const { bytes, name } = images[index]!;
      const { id, ms } = await client.upload(bytes, name);
      ids.push(id);
      times.push(ms);
    }
  };
  await Promise.all(Array.from({ length: parallel }, (_, index) => run(clients[index % clients.length]!)));
  return { ids, times };
};
