import type { Page } from '@playwright/test';

/** A request to the API, whichever host answers it. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type Send = (request: Sent) => Promise<Answer>;

/** Sends over HTTP, from outside of any browser. */
export const sendByHttp =
  (origin: string): Send =>
  async ({ method, url, headers, body }) => {
    const init = {
      method,
      headers: { ...headers },
      ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
    };
    const response = await fetch(origin + url, init);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };

/** Sends with the page's own `fetch`, which the page's service worker answers. Bytes cross as Base64. */
export const sendInPage =
  (page: Page): Send =>
  async ({ method, url, headers, body }) => {
    const answer = await page.evaluate(
      async (request) => {
        const bytes =
          request.body === null ? null : Uint8Array.from(atob(request.body), (c) => c.charCodeAt(0));
        const response = await fetch(request.url, {
          method: request.method,
          headers: request.headers,
          body: bytes,
        });
        const reader = new FileReader();
        reader.readAsDataURL(await response.blob());
        await new Promise((resolve) => reader.addEventListener('load', resolve));
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: String(reader.result).replace(/^[^,]*,?/, ''),
        };
      },
      { method, url, headers: { ...headers }, body: body ? Buffer.from(body).toString('base64') : null },
    );
    return { ...answer, body: Buffer.from(answer.body, 'base64') };
  };
