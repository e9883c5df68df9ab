import type { Page } from '@playwright/test';
import type { Send } from '#shared/testing/conformance';
import { asHttp } from '#shared/testing/multipart';

/** Sends requests over HTTP, without a browser. */
export const sendByHttp =
  (origin: string): Send =>
  async (request) => {
    const { method, url, headers, body } = asHttp(request);
    const init = { method, headers, ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}) };
    const response = await fetch(origin + url, init);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };

/** Sends requests with the page's own `fetch`, which the service worker answers. Bytes are passed as Base64. */
export const sendInPage =
  (page: Page): Send =>
  async (request) => {
    const { method, url, headers, body } = asHttp(request);
    const answer = await page.evaluate(
      async (sent) => {
        const bytes = sent.body === null ? null : Uint8Array.from(atob(sent.body), (c) => c.charCodeAt(0));
        const response = await fetch(sent.url, { method: sent.method, headers: sent.headers, body: bytes });
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
