/**
 * Replaces `tough-cookie`, the cookie jar of msw, which is a third of the code that msw adds to the page.
 *
 * The API sets no cookies and reads none, so the jar stays empty.
 */
export class MemoryCookieStore {
  idx = {};
}

/** A jar without cookies. */
export class CookieJar {
  getCookiesSync(): readonly never[] {
    return [];
  }

  setCookie(): Promise<void> {
    return Promise.resolve();
  }
}

/** No stored text is a cookie. */
export const Cookie = { fromJSON: (): null => null };
